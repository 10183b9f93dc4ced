#if Hummingbird
import HTTPTypes
import Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitHTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content that a handler writes, as a stream to read: a separate task writes it from the first read on, one chunk
/// ahead of the reader.
final class WrittenBody: HTTP.BodyStream {
    private enum State {
        case unread
        case writing(SingleChunkChannel, Task<Void, Never>)
        case ended
    }

    /// The handler's original body, which the server gets if nobody has read from this one.
    let original: ResponseBody
    private let runtime: Runtime
    private let state = Lock(State.unread)

    init(_ original: ResponseBody, on runtime: Runtime) {
        self.original = original
        self.runtime = runtime
    }

    deinit { cancel() }

    static func content(of response: Response, on runtime: Runtime) -> HTTP.Body {
        .oneShot(length: response.body.contentLength, WrittenBody(response.body, on: runtime))
    }

    var trailers: HTTP.Headers? {
        guard case .writing(let chunks, _) = state.withLock(\.self) else { return nil }
        return chunks.trailers.flatMap { try? HTTP.Headers($0) }
    }

    func next() async throws -> Data? {
        guard let chunks = reading() else { throw CancellationError() }
        return try await chunks.next().map { Data(buffer: $0) }
    }

    func cancel() {
        let found = state.withLock { state in
            let found = state
            if case .unread = state { state = .ended }
            return found
        }
        guard case .writing(let chunks, let task) = found else { return }
        chunks.close(CancellationError())
        task.cancel()
    }

    private func reading() -> SingleChunkChannel? {
        state.withLock { state in
            switch state {
            case .ended: return nil
            case .writing(let chunks, _): return chunks
            case .unread:
                let chunks = SingleChunkChannel()
                let task = runtime.start("content of a response") { [original] in
                    await chunks.run(original)
                }
                state = .writing(chunks, task)
                return chunks
            }
        }
    }
}
#endif
