import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The recorded part of one call.
struct TimelineCall {
    /// An activity, or a moment within one.
    struct Entry {
        /// The sending of a request's body.
        struct Upload {
            let start: Runtime.Instant
            var end: Runtime.Instant
            var bytes = 0
            var total: Int?
        }

        let parent: Int?
        /// `nil` for a moment.
        let kind: Event.Activity.Kind?
        let name: String
        let source: String
        let attempt: Int
        let start: Runtime.Instant
        var end: Runtime.Instant?
        var ending: Event.Ending?
        var facts: [String: Event.Value] = [:]
        var upload: Upload?
    }

    static let entryLimit = 500
    private static let factLimit = 100
    private static let textLimit = 2000
    // The approximate size of an entry's numbers, in memory and on the page, in bytes.
    private static let entrySize = 100

    let id: Call.ID
    let date: Date
    let start: Runtime.Instant
    private(set) var entries: [Entry] = []
    /// The number of activities and decisions that were not kept.
    private(set) var dropped = 0
    /// The approximate size, in bytes.
    private(set) var size = 0
    private var indices: [Event.Activity.ID: Int] = [:]

    init(_ event: Event, date: Date) {
        id = event.call
        start = event.instant
        self.date = date
    }

    /// Records an event.
    /// - Returns: The increase of ``size``, in bytes.
    mutating func note(_ event: Event) -> Int {
        let before = size
        switch event.phase {
        case .began:
            let parent = event.activity?.parent
            if let index = add(event, kind: event.activity?.kind, to: parent),
                let activity = event.activity
            {
                indices[activity.id] = index
            }
        case .ended(let ending):
            guard let index = event.activity.flatMap({ indices.removeValue(forKey: $0.id) }) else {
                break
            }
            entries[index].end = event.instant
            entries[index].ending = ending
            keep(event.attributes, at: index)
        case .moment where event.name == .bodySent || event.name == .bodyReceived:
            if let index = event.activity.flatMap({ indices[$0.id] }) { count(event, at: index) }
        case .moment:
            _ = add(event, kind: nil, to: event.activity?.id)
        }
        return size - before
    }

    private mutating func add(
        _ event: Event,
        kind: Event.Activity.Kind?,
        to parent: Event.Activity.ID?
    ) -> Int? {
        let index = parent.flatMap { indices[$0] }
        guard entries.count < Self.entryLimit, parent == nil || index != nil else {
            dropped += 1
            return nil
        }
        let name = kind == nil ? event.name.description : event.activity?.name ?? ""
        let entry = Entry(
            parent: index,
            kind: kind,
            name: name.shortened(to: Self.textLimit),
            source: event.source.shortened(to: Self.textLimit),
            attempt: event.attempt,
            start: event.instant
        )
        entries.append(entry)
        size += Self.entrySize + entry.name.utf8.count + entry.source.utf8.count
        keep(event.attributes, at: entries.count - 1)
        return entries.count - 1
    }

    private mutating func keep(_ facts: Event.Attributes, at index: Int) {
        for (key, value) in facts.sorted(by: { $0.key < $1.key }) {
            let key = key.shortened(to: Self.textLimit)
            let isNew = entries[index].facts[key] == nil
            if isNew && entries[index].facts.count >= Self.factLimit { continue }
            var kept = value
            if case .text(let text) = value { kept = .text(text.shortened(to: Self.textLimit)) }
            entries[index].facts[key] = kept
            size += key.utf8.count + kept.description.utf8.count
        }
    }

    // Only the latest byte count matters.
    private mutating func count(_ event: Event, at index: Int) {
        guard let bytes = event.attributes.bytes else { return }
        guard event.name == .bodySent else {
            entries[index].facts["bytes"] = .number(bytes)
            return
        }
        var upload =
            entries[index].upload ?? Entry.Upload(start: event.instant, end: event.instant)
        upload.end = event.instant
        upload.bytes = bytes
        upload.total = event.attributes.total
        entries[index].upload = upload
    }
}

extension String {
    /// Returns at most `limit` bytes and an ellipsis, without a cut character.
    fileprivate func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end]) + "…"
    }
}
