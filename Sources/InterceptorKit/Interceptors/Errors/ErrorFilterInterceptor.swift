#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns responses that mean failure into errors, and errors into what the caller wants to see.
///
/// A status that is not accepted becomes a ``ResponseError`` with problem details (RFC 9457) where the
/// response has them; with an envelope, so does a business code that is no success, inside a 200 too.
/// Then `recover` may answer an error with a response, and `map` may name it in the caller's own
/// terms; what `map` returns is thrown as it is, never wrapped.
///
/// Put it **outermost**: what retry and token interceptors need to know of a failure they learn from
/// their ``OutcomeClassifier``, inside. `CancellationError` always passes as itself.
public struct ErrorFilterInterceptor: Interceptor {
    /// Says which statuses are no failure.
    public typealias Acceptance = @Sendable (_ status: HTTP.Status) -> Bool
    /// Answers an error with a response, or with `nil` to let it pass.
    public typealias Recovery =
        @Sendable (
            _ error: any Error, _ request: HTTP.Request
        ) async throws -> HTTP.Response?
    /// Names an error in the caller's terms.
    public typealias Mapping = @Sendable (_ error: any Error) -> any Error

    private let envelope: ResponseEnvelope?
    private let accepts: Acceptance
    private let bodyLimit: Int
    private let recover: Recovery?
    private let map: Mapping?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - envelope: Where a service says whether a call worked. Defaults to nowhere.
    ///   - bodyLimit: How much of a body is kept in an error or looked at, in bytes. Defaults to 64 KiB.
    ///   - accepts: Which statuses are no failure. Defaults to 2xx and 304.
    ///   - recover: Answers an error with a response. Defaults to never.
    ///   - map: Names an error in the caller's terms. Defaults to its own.
    public init(
        envelope: ResponseEnvelope? = nil,
        bodyLimit: Int = 64 << 10,
        accepting accepts: @escaping Acceptance = { $0.isSuccess || $0 == 304 },
        recover: Recovery? = nil,
        map: Mapping? = nil
    ) {
        self.envelope = envelope
        self.bodyLimit = bodyLimit
        self.accepts = accepts
        self.recover = recover
        self.map = map
    }

    public var placement: Placement? { .errorFilter }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        do {
            let response = try await chain.proceed()
            guard let error = try await failure(in: response, chain.call.runtime.date) else {
                return response
            }
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            if let response = try await recover?(error, chain.input) {
                chain.call.emit(.errorRecovered, from: "ErrorFilterInterceptor")
                return response
            }
            let named = map?(error) ?? error
            chain.call.emit(
                .errorMapped,
                from: "ErrorFilterInterceptor",
                ["error.type": .text(typeName(of: named))]
            )
            throw named
        }
    }

    private nonisolated(nonsending) func failure(
        in response: HTTP.Response,
        _ date: Date
    ) async throws -> ResponseError? {
        let isAccepted = accepts(response.status)
        if isAccepted && envelope == nil { return nil }
        let value = await response.jsonBeginning(upTo: bodyLimit)
        let business = value.flatMap { envelope?.read($0) }
            .flatMap { envelope?.success.contains($0.code) == true ? nil : $0 }
        if isAccepted && business == nil { return nil }
        let isProblem =
            response.headers["Content-Type"]?.hasPrefix("application/problem+json") == true
        let body = (try? await response.body.peek(upTo: bodyLimit).prefix(bodyLimit)) ?? Data()
        try Task.checkCancellation()
        await response.discard()
        return ResponseError(
            response,
            body: body,
            problem: isProblem ? value.flatMap(ProblemDetails.init) : nil,
            business: business,
            date: date
        )
    }
}
