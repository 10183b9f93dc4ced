import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body in the chunks given that knows whether it was cancelled.
final class ChunkedStream: HTTP.BodyStream {
    private let state: Lock<(rest: ArraySlice<String>, cancels: Int)>

    init(_ chunks: String...) { state = Lock((chunks[...], 0)) }

    var cancels: Int { state.withLock(\.cancels) }

    func next() async throws -> Data? {
        state.withLock { $0.rest.popFirst().map { Data($0.utf8) } }
    }

    func cancel() { state.withLock { $0.cancels += 1 } }
}

/// The chunks of a stream as texts, and what it failed with.
func outcome(of stream: some HTTP.BodyStream) async -> (chunks: [String], error: (any Error)?) {
    var chunks: [String] = []
    do {
        while let chunk = try await stream.next() {
            chunks.append(String(decoding: chunk, as: UTF8.self))
        }
        return (chunks, nil)
    } catch {
        return (chunks, error)
    }
}
