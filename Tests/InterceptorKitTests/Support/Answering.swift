import InterceptorKit

/// Answers every request alike, or throws where there is no answer.
struct Answering: Transport {
    private let answer: @Sendable () throws -> HTTP.Response

    init(_ answer: @escaping @Sendable () throws -> HTTP.Response) { self.answer = answer }

    init(_ status: HTTP.Status?, body: @escaping @Sendable () -> HTTP.Body = { .empty }) {
        self.init {
            guard let status else { throw Problem() }
            return HTTP.Response(status, body: body())
        }
    }

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response { try answer() }
}
