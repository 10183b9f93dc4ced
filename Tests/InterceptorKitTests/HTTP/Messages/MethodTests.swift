import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.Method")
struct MethodTests {
    // RFC 9110 section 9.2, RFC 5789 section 2, and QUERY's own specification.
    @Test(
        "is safe or idempotent as its specification says",
        arguments: [
            (HTTP.Method.get, true, true), (.head, true, true), (.options, true, true),
            (.trace, true, true), (.query, true, true), (.put, false, true),
            (.delete, false, true), (.post, false, false), (.patch, false, false),
            ("PURGE", false, false), ("get", false, false), ("Put", false, false),
        ]
    )
    func properties(method: HTTP.Method, isSafe: Bool, isIdempotent: Bool) {
        expectEqual(method.isSafe, isSafe)
        expectEqual(method.isIdempotent, isIdempotent)
    }
}
