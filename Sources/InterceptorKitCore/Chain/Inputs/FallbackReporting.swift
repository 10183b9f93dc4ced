/// An output that can record that it is a fallback.
///
/// A ``FallbackInterceptor`` sets ``fallbackReason`` on the output it returns in place of a failure. Outputs
/// that don't conform stay unchanged.
public protocol FallbackReporting: Sendable {
    /// The failure that this output replaces, as in `503 Service Unavailable`; `nil` for an output of the
    /// server.
    var fallbackReason: String? { get set }
}
