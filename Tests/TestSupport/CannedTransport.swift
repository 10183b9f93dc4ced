package import InterceptorKit

/// Answers every request alike, or throws where there is no answer.
package struct CannedTransport: Transport {
    private let answer: @Sendable () throws -> HTTP.Response

    package init(_ answer: @escaping @Sendable () throws -> HTTP.Response) { self.answer = answer }

    package init(_ status: HTTP.Status?, body: @escaping @Sendable () -> HTTP.Body = { .empty }) {
        self.init {
            guard let status else { throw Problem() }
            return HTTP.Response(status, body: body())
        }
    }

    package func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try answer()
    }
}
