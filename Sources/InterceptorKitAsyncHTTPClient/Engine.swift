#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// An HTTP client and its owner. Bodies that are still arriving keep it alive.
final class Engine: Sendable {
    let client: HTTPClient
    let decompresses: Bool
    /// Whether the client was created here, and is guarded.
    let isOwn: Bool
    private let closing = Lock<EventLoopFuture<Void>?>(nil)

    init(_ client: HTTPClient, isOwn: Bool, decompresses: Bool) {
        self.client = client
        self.isOwn = isOwn
        self.decompresses = decompresses
    }

    deinit { close() }

    /// Whether nobody has shut the client down, which is unknown for an existing client.
    var isCertainlyOpen: Bool { isOwn && closing.withLock { $0 == nil } }

    /// Begins to shut down an own client, once; `nil` for an existing client.
    @discardableResult
    func close() -> EventLoopFuture<Void>? {
        guard isOwn else { return nil }
        return closing.withLock { closing in
            if let closing { return closing }
            let future = client.shutdown()
            closing = future
            return future
        }
    }
}
#endif
