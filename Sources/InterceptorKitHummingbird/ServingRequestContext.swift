#if Hummingbird
public import Hummingbird
public import InterceptorKit
import NIOCore

/// A request context in which a ``ChainMiddleware`` stores the call, and which notices that the caller has
/// gone.
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
    /// The chain's values for handlers.
    var serving: Serving { get set }
}

/// The values that a chain passes to the handlers below it.
public struct Serving: Sendable {
    /// The call that serves the request, with its deadline, trace and signer; `nil` above the chain.
    public internal(set) var call: Call?

    let channel: (any Channel)?

    /// Whether the request came on a stream of a connection, as in HTTP/2: a channel within the one that
    /// was accepted.
    var isOnStream: Bool { channel?.parent?.parent != nil }

    /// Whether the request is known to have come on the connection itself, as in HTTP/1.
    var isOnConnection: Bool { channel?.parent != nil && !isOnStream }

    /// Creates a value without a connection to watch, for a context from another source.
    public init() { channel = nil }

    /// Creates a value for a connection.
    /// - Parameter source: The source of the context.
    public init(source: ApplicationRequestContextSource) { channel = source.channel }
}
#endif
