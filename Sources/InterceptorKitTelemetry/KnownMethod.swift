#if Tracing || Metrics
/// A method's name in telemetry: any other than those of RFC 9110, PATCH (RFC 5789) and QUERY is `_OTHER`, so that the
/// number of names is limited (OpenTelemetry HTTP conventions 1.44).
enum KnownMethod {
    static let other = "_OTHER"

    static func name(of method: String) -> String { names.contains(method) ? method : other }

    private static let names: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]
}
#endif
