#if Tracing
import InterceptorKit
import Tracing

/// How a tracer reads and writes the fields of a request. What it writes replaces what was there.
struct FieldCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into headers: inout HTTP.Headers) {
        headers[key] = value
    }

    func extract(key: String, from headers: HTTP.Headers) -> String? { headers[key] }
}
#endif
