#if Hummingbird
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Has the chain look at every chunk, or none.
func reading(_ reads: Bool) -> AnyInterceptor<HTTP.Request> {
    through { chain in
        guard reads else { return try await chain.proceed() }
        var request = chain.input
        request.body = .oneShot(length: request.body.length, Passed(request.body))
        var response = try await chain.proceed(request, call: chain.call)
        response.body = .oneShot(length: response.body.length, Passed(response.body))
        return response
    }
}

/// Another body's chunks, so that somebody has looked at each.
final class Passed: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`.
    private var iterator: HTTP.Body.AsyncIterator
    private let body: HTTP.Body

    init(_ body: HTTP.Body) {
        self.body = body
        iterator = body.makeAsyncIterator()
    }

    var trailers: HTTP.Headers? { body.trailers }

    func next() async throws -> Data? { try await iterator.next() }
    func cancel() { body.cancel() }
}
#endif
