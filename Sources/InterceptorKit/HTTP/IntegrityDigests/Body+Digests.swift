#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Body {
    /// Returns the digests of a body that can be read again, which is read chunk by chunk.
    /// - Parameter algorithms: The hash functions. Defaults to `sha-256`.
    /// - Throws: ``HTTP/ContentError`` for a one-shot body and for an unknown algorithm; the error of reading the body.
    @concurrent
    public func digests(
        _ algorithms: [HTTP.DigestAlgorithm] = [.sha256]
    ) async throws -> HTTP.IntegrityDigests {
        guard isReplayable else { throw HTTP.ContentError.oneShotBody }
        var running = try RunningDigests(algorithms)
        // The length decides, however short the first chunk is.
        if (length ?? .max) >= RunningHash.systemMinimum { running.useSystemHash() }
        for try await chunk in self { running.update(chunk) }
        return running.digests
    }

    /// Returns the same body, checked while it is read: at its end, reading throws a ``HTTP/ContentError`` if
    /// the bytes don't match.
    /// - Parameters:
    ///   - digests: The digests to check against.
    ///   - accepted: The algorithms to trust. Defaults to those that withstand attacks.
    /// - Throws: ``HTTP/ContentError`` if none of the digests has an accepted algorithm.
    public func verified(
        by digests: HTTP.IntegrityDigests,
        accepting accepted: Set<HTTP.DigestAlgorithm> = HTTP.DigestAlgorithm.active
    ) throws(HTTP.ContentError) -> HTTP.Body {
        let running = try RunningDigests(digests.acceptable(accepted))
        return verified(running) { _ throws(HTTP.ContentError) in digests }
    }

    /// - Parameter expected: Returns the digests once the trailers have arrived; `nil` accepts any content.
    func verified(
        _ running: RunningDigests,
        by expected: @escaping VerifyingStream.Expectation
    ) -> HTTP.Body {
        wrapping { VerifyingStream($0, running, by: expected) }
    }
}

/// A stream that hashes chunks as they pass and compares the digests at the end.
final class VerifyingStream: HTTP.BodyStream, @unchecked Sendable {
    typealias Expectation =
        @Sendable (HTTP.Headers?) throws(HTTP.ContentError) -> HTTP.IntegrityDigests?

    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that reader alone
    // touches `running`.
    private var running: RunningDigests

    private let base: any HTTP.BodyStream
    private let expected: Expectation

    init(_ base: any HTTP.BodyStream, _ running: RunningDigests, by expected: @escaping Expectation)
    {
        self.running = running
        self.base = base
        self.expected = expected
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        if let chunk = try await base.next() {
            running.update(chunk)
            return chunk
        }
        try expected(base.trailers)?.verify(running.digests)
        return nil
    }

    func cancel() { base.cancel() }
}
