#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// An HTTP client and its owner. Bodies that still arrive keep it alive.
final class Engine: Sendable {
    let client: HTTPClient
    let decompresses: Bool
    /// Whether the client was made here, and is guarded.
    let isOwn: Bool
    private let closing = Lock<EventLoopFuture<Void>?>(nil)

    init(_ client: HTTPClient, isOwn: Bool, decompresses: Bool) {
        self.client = client
        self.isOwn = isOwn
        self.decompresses = decompresses
    }

    deinit { close() }

    /// Whether nobody has shut the client down; that is not known of one that was given.
    var isCertainlyOpen: Bool { isOwn && closing.withLock { $0 == nil } }

    /// Begins to shut an own client down, once; `nil` for one that was given.
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
