import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension HTTP {
    /// The part of a body that its reader read, up to a limit.
    package struct BodyRecord: Sendable {
        /// The first bytes of the body.
        package fileprivate(set) var beginning = Data()
        /// The number of bytes read, kept or not.
        package fileprivate(set) var count = 0
        /// How reading the body ended.
        package fileprivate(set) var ending = BodyEnding.abandoned

        /// All bytes; `nil` if the body was not read to its end, or is longer than the limit.
        package var whole: Data? {
            guard case .completed = ending, beginning.count == count else { return nil }
            return beginning
        }

        /// The error that broke off the body; `nil` if none did.
        package var failure: (any Error)? {
            if case .failed(let error) = ending { error } else { nil }
        }
    }
}

extension HTTP.Body {
    /// Returns the body so that its first bytes are recorded while it is read.
    ///
    /// A body in memory is recorded at once.
    /// - Parameters:
    ///   - limit: The number of bytes to keep.
    ///   - onEnd: Gets the record when reading has ended, however it ended.
    package func recorded(
        upTo limit: Int,
        onEnd: @escaping @Sendable (_ record: HTTP.BodyRecord) -> Void
    ) -> HTTP.Body {
        if let inMemory {
            var record = HTTP.BodyRecord()
            record.add(inMemory, upTo: limit)
            record.ending = .completed
            onEnd(record)
            return self
        }
        let kept = Kept()
        return tapped { chunk in
            kept.record.withLock { $0.add(chunk, upTo: limit) }
        } onEnd: { ending in
            var record = kept.record.withLock { $0 }
            record.ending = ending
            onEnd(record)
        }
    }
}

extension HTTP.BodyRecord {
    fileprivate mutating func add(_ chunk: Data, upTo limit: Int) {
        count += chunk.count
        beginning += chunk.prefix(max(0, max(0, limit) - beginning.count))
    }
}

private final class Kept: Sendable {
    let record = Lock(HTTP.BodyRecord())
}
