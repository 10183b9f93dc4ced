#if Tracing || Metrics
import InterceptorKit

extension HTTP.Origin {
    /// The host as `server.address` has it: an IPv6 address without the brackets of a URL.
    var serverAddress: String {
        host.rest(after: "[")?.rest(before: "]").map(String.init) ?? host
    }
}
#endif
