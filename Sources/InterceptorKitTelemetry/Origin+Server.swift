#if Tracing || Metrics
import InterceptorKit

extension HTTP.Origin {
    /// The host in the form of `server.address`: an IPv6 address without brackets.
    var serverAddress: String {
        host.rest(after: "[")?.rest(before: "]").map(String.init) ?? host
    }
}
#endif
