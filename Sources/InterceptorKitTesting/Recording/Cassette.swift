import InterceptorKit
import InterceptorKitInspection
import InterceptorKitLoopback

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Recorded exchanges and their file.
struct Cassette: Sendable {
    private struct Recorded {
        let entry: HAR.Entry
        // As it would be written now, whoever wrote the file.
        let request: HAR.Request
        // The reason that it cannot be replayed, if it cannot.
        let problem: TestKitError?
        var isUsed = false
    }

    let path: String
    private let builder: HAR.Builder
    private let matching: CassetteMatching
    // The original content of the file, to which entries are added.
    private let found: Data
    private var recorded: [Recorded]
    // The parts of the file that are not exchanges.
    private var unreadable: [String] = []
    private var added: [(number: Int, entry: HAR.Entry)] = []

    /// Creates an empty cassette and its file.
    init(
        emptyAt path: String,
        _ builder: HAR.Builder,
        _ matching: CassetteMatching
    ) throws(TestKitError) {
        self.path = path
        self.builder = builder
        self.matching = matching
        recorded = []
        do {
            found = try HAR().json()
        } catch {
            throw TestKitError(.unwritable, "No empty archive can be made.", cause: error)
        }
        try write()
    }

    /// Reads a cassette.
    init(
        contentsOf path: String,
        _ builder: HAR.Builder,
        _ matching: CassetteMatching
    ) throws(TestKitError) {
        self.path = path
        self.builder = builder
        self.matching = matching
        do {
            found = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw TestKitError(
                .unreadable,
                "The cassette \(path) cannot be read. Record it first, or look for it where the "
                    + "test runs.",
                cause: error
            )
        }
        let archive: HAR
        do {
            archive = try HAR(json: found)
        } catch {
            throw TestKitError(
                .invalid,
                "The cassette \(path) is not an HTTP archive. \(error)",
                place: error.place,
                cause: error
            )
        }
        unreadable = archive.unreadable
        recorded = archive.log.entries.enumerated().map { index, entry in
            var request = entry.request.restoredHead
            let body = entry.request.postData?.bytes
            request.body = body.map(HTTP.Body.bytes) ?? .empty
            var shown = builder.request(
                request,
                body: entry.request.postData == nil || body != nil
                    ? .bytes(body ?? Data()) : .unread("not recorded")
            )
            if entry.request.postData != nil, body == nil {
                shown.postData = entry.request.postData
            }
            let problem = Self.problem(of: entry, at: "log.entries[\(index)]", in: path)
            return Recorded(entry: entry, request: shown, problem: problem)
        }
    }

    private static func problem(
        of entry: HAR.Entry,
        at place: String,
        in path: String
    ) -> TestKitError? {
        let problem: (member: String, text: String)? =
            if entry.response.status != 0, !(100...999 ~= entry.response.status) {
                ("response.status", "it is \(entry.response.status) and no status code")
            } else if let field = entry.response.restoredHead.headers.problem {
                ("response.headers", "\(field)")
            } else if entry.response.content.text != nil, entry.response.content.bytes == nil {
                ("response.content.text", "it is not base64")
            } else if entry.request.postData?.text != nil, entry.request.postData?.bytes == nil {
                ("request.postData.text", "it is not base64")
            } else {
                nil
            }
        return problem.map { problem in
            TestKitError(
                .invalid,
                "The exchange in the cassette \(path) cannot be replayed. \(place).\(problem.member): "
                    + "\(problem.text).",
                place: "\(place).\(problem.member)"
            )
        }
    }

    /// The recorded requests that were not replayed, one line each.
    var unused: [String] {
        recorded.filter { !$0.isUsed }.map { Self.line($0.request) }
    }

    /// Takes the first unused exchange that matches a request.
    mutating func take(_ request: HAR.Request) throws(TestKitError) -> HAR.Entry {
        var matches = 0
        var nearest: (index: Int, distance: Double, differences: [ScriptDifference])?
        for index in recorded.indices {
            let differences = matching.differences(of: request, from: recorded[index].request)
            if differences.isEmpty {
                matches += 1
                guard recorded[index].isUsed else {
                    recorded[index].isUsed = true
                    if let problem = recorded[index].problem { throw problem }
                    return recorded[index].entry
                }
            }
            let distance = differences.reduce(0) { $0 + $1.distance }
            if distance < nearest?.distance ?? .infinity {
                nearest = (index, distance, differences)
            }
        }
        let line = Self.line(request)
        if matches > 0 {
            throw TestKitError(
                .exhausted,
                "\(line) was recorded \(matches == 1 ? "once" : "\(matches) times") in the "
                    + "cassette \(path) and is sent once more. Record it again, or use the update "
                    + "mode.",
                nearest: line
            )
        }
        throw unmatched(line, nearest.map { ($0.index, $0.differences.map(\.description)) })
    }

    private func unmatched(
        _ line: String,
        _ nearest: (index: Int, differences: [String])?
    ) -> TestKitError {
        let damage =
            unreadable.isEmpty
            ? "" : "\(unreadable.count) entries of the file cannot be read: \(unreadable[0]) "
        let advice = damage + "Record it again, or use the update mode."
        guard let nearest else {
            return TestKitError(
                .unmatched,
                "\(line) was not recorded: the cassette \(path) is empty. \(advice)"
            )
        }
        let name = Self.line(recorded[nearest.index].request)
        return TestKitError(
            .unmatched,
            "\(line) was not recorded in the cassette \(path). Nearest is \(name): "
                + "\(nearest.differences.joined(separator: "; ")). \(advice)",
            place: "log.entries[\(nearest.index)]",
            nearest: name,
            differences: nearest.differences
        )
    }

    /// Adds an exchange and writes the file.
    /// - Parameter number: The number of its send, which decides the place among the added exchanges.
    mutating func add(_ entry: HAR.Entry, number: Int) throws(TestKitError) {
        let index = added.firstIndex { $0.number > number } ?? added.endIndex
        added.insert((number, entry), at: index)
        try write()
    }

    private func write() throws(TestKitError) {
        do {
            let file = URL(filePath: path).absoluteURL
            try FileManager.default.createDirectory(
                atPath: file.deletingLastPathComponent().path(percentEncoded: false),
                withIntermediateDirectories: true
            )
            try HAR.adding(added.map(\.entry), to: found).write(to: file, options: .atomic)
        } catch {
            throw TestKitError(
                .unwritable,
                "The cassette \(path) cannot be written.",
                cause: error
            )
        }
    }

    private static func line(_ request: HAR.Request) -> String {
        "\(request.method) \(request.url)"
    }
}
