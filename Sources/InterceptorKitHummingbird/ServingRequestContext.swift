#if Hummingbird
public import Hummingbird
public import InterceptorKit
import NIOCore

/// A request context in which a ``ChainMiddleware`` stores the call, and which makes it notice that the caller has
/// disconnected.
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
    /// The values of the chain for handlers.
    var serving: Serving { get set }
}

extension ServingRequestContext {
    /// Who calls, as the chain has verified it; `nil` if no interceptor has.
    public var principal: Principal? { serving.call?.principal }
}

/// The values that a chain passes to the handlers below it.
public struct Serving: Sendable {
    /// The call that serves the request, with its deadline, trace and principal; `nil` above the chain.
    public internal(set) var call: Call?

    let channel: (any Channel)?

    /// Whether the request came on a stream of a connection, as in HTTP/2: its channel is a child of the accepted one.
    var isOnStream: Bool { channel?.parent?.parent != nil }

    /// Whether the request is known to have come directly on a connection, as in HTTP/1.
    var isOnConnection: Bool { channel?.parent != nil && !isOnStream }

    /// Creates a value without a connection to watch, for a context from another source.
    public init() { channel = nil }

    /// Creates a value for a connection.
    /// - Parameter source: The source of the context.
    public init(source: ApplicationRequestContextSource) { channel = source.channel }
}
#endif
