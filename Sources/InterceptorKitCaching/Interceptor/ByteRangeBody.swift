import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Returns a part of this body; `nil` if the body cannot be read more than once.
    func part(_ range: Range<Int>) -> HTTP.Body? {
        if let data = inMemory {
            let start = data.startIndex
            return .bytes(data[start + range.lowerBound..<start + range.upperBound])
        }
        if let region = file {
            let start = region.range?.lowerBound ?? 0
            return .file(region.path, range: start + range.lowerBound..<start + range.upperBound)
        }
        guard isReplayable else { return nil }
        return wrapping(length: range.count) { ByteRangeStream($0, range) }
    }
}

private final class ByteRangeStream: HTTP.BodyStream {
    private let base: any HTTP.BodyStream
    private let rest: Lock<(skipped: Int, wanted: Int)>

    init(_ base: any HTTP.BodyStream, _ range: Range<Int>) {
        self.base = base
        rest = Lock((range.lowerBound, range.count))
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        while rest.withLock({ $0.wanted > 0 }) {
            guard let chunk = try await base.next() else { throw StoreError.partEndedEarly }
            let part = rest.withLock { rest in
                let skipped = min(rest.skipped, chunk.count)
                let part = chunk.dropFirst(skipped).prefix(rest.wanted)
                rest.skipped -= skipped
                rest.wanted -= part.count
                return part
            }
            if !part.isEmpty { return part }
        }
        base.cancel()
        return nil
    }

    func cancel() { base.cancel() }
}

extension StoreError {
    // Ending early would pass for the whole part.
    fileprivate static let partEndedEarly = StoreError(
        .damaged,
        "A stored body ended before the requested part did. Send the request again."
    )
}
