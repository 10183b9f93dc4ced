package import InterceptorKit

/// Answers every request with an empty response.
package struct Discarding: Transport {
    package init() {}

    package func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response()
    }
}
