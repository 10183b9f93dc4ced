#if Hummingbird
public import Hummingbird
public import InterceptorKit
import NIOCore

/// A request context in which a ``ChainMiddleware`` leaves the call, and by which it notices that the
/// caller has gone.
///
/// ```swift
/// struct Context: ServingRequestContext {
///     var coreContext: CoreRequestContextStorage
///     var serving: Serving
///
///     init(source: Source) {
///         coreContext = CoreRequestContextStorage(source: source)
///         serving = Serving(source: source)
///     }
/// }
/// ```
public protocol ServingRequestContext: RequestContext {
    /// What a chain leaves for handlers.
    var serving: Serving { get set }
}

/// What a chain leaves for the handlers below it.
public struct Serving: Sendable {
    /// The call that serves the request: its deadline, trace, and who signed it; `nil` above the chain.
    public internal(set) var call: Call?

    let channel: (any Channel)?

    /// Whether the request came on a stream of a connection, as in HTTP/2: a channel within the one that
    /// was accepted.
    var isOnStream: Bool { channel?.parent?.parent != nil }

    /// Creates it without a connection to watch, as for a context of another source.
    public init() { channel = nil }

    /// Creates it for a connection.
    /// - Parameter source: What the context is made from.
    public init(source: ApplicationRequestContextSource) { channel = source.channel }
}
#endif
