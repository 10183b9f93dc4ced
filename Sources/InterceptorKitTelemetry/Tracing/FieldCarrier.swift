#if Tracing
import InterceptorKit
import Tracing

/// Reads and writes the fields of a request for a tracer; a written field replaces an existing one.
struct FieldCarrier: Injector, Extractor {
    func inject(_ value: String, forKey key: String, into headers: inout HTTP.Headers) {
        headers[key] = value
    }

    func extract(key: String, from headers: HTTP.Headers) -> String? { headers[key] }
}
#endif
