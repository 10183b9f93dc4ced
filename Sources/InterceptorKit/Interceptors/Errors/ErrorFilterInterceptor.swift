/// Turns failed responses into errors, and errors into those that the caller should see.
///
/// An unaccepted status becomes a ``ResponseError``, with problem details (RFC 9457) if the response has them. With an
/// envelope, so does a business code that means failure, even inside a 200. Then `recover` may replace an error with a
/// response, and `map` may replace it with your own error, which is thrown unchanged, never wrapped. `map` also applies
/// to errors of ``HTTP/Response/decode(_:using:upTo:)``, ``HTTP/Response/text(repairing:upTo:)`` and a response's `events()`.
///
/// Put it **outermost**: the retry and token interceptors inside it learn of a failure from their
/// ``OutcomeClassifier``. The filter's errors carry the classification of the same classifier
/// (``ResponseError/classification``). A `CancellationError` is never changed.
public struct ErrorFilterInterceptor: Interceptor {
    /// A closure that returns whether a status is accepted.
    public typealias Acceptance = @Sendable (_ status: HTTP.Status) -> Bool
    /// A closure that returns a response in place of an error, or `nil` to keep the error. An error that it throws
    /// replaces the given one.
    public typealias Recovery =
        @Sendable (
            _ error: any Error, _ request: HTTP.Request
        ) async throws -> HTTP.Response?
    /// A closure that replaces an error with your own.
    public typealias Mapping = @Sendable (_ error: any Error) -> any Error

    private let reader: FailureReader
    private let accepts: Acceptance
    private let recover: Recovery?
    private let map: Mapping?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - envelope: The places in a response body of the business code and of the content that responses decode;
    ///     `nil`, the default, is the client's envelope, if it has one.
    ///   - classifier: Classifies failures. Defaults to the client's classifier.
    ///   - bodyLimit: The largest part of a body that is inspected or kept in an error, in bytes. Defaults to 64 KiB.
    ///   - bodyTimeout: The longest wait for that part of a body; the call's deadline counts too. Defaults to 10 s.
    ///   - accepts: Returns whether a status is accepted. Defaults to 2xx and 304.
    ///   - recover: Replaces an error with a response. Defaults to never.
    ///   - map: Replaces an error with your own. Defaults to no change.
    public init(
        envelope: HTTP.ResponseEnvelope? = nil,
        classifier: OutcomeClassifier<HTTP.Request> = .inherited,
        bodyLimit: Int = 64 << 10,
        bodyTimeout: Duration = .seconds(10),
        accepting accepts: @escaping Acceptance = { $0.isSuccess || $0 == 304 },
        recover: Recovery? = nil,
        map: Mapping? = nil
    ) {
        reader = FailureReader(
            envelope: envelope,
            classifier: classifier,
            limit: max(0, bodyLimit),
            timeout: bodyTimeout
        )
        self.accepts = accepts
        self.recover = recover
        self.map = map
    }

    public var placement: Placement? { .errorFilter }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response: HTTP.Response
        do {
            response = try await chain.proceed()
        } catch {
            if error is CancellationError { throw error }
            return try await recoverOrThrow(error, chain)
        }
        let isAccepted = accepts(response.status)
        if reader.isSuccess(response, isAccepted: isAccepted, chain.call) {
            return mappingErrors(response, chain.call)
        }
        return try await filter(response, isAccepted: isAccepted, chain)
    }

    // A function of its own, because an asynchronous one takes room for all that it may do, and nearly every response
    // needs no more than the above.
    @inline(never)
    private nonisolated(nonsending) func filter(
        _ response: HTTP.Response,
        isAccepted: Bool,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        do {
            if let error = try await reader.failure(of: response, isAccepted: isAccepted, chain) {
                throw error
            }
        } catch {
            if error is CancellationError { throw error }
            return try await recoverOrThrow(error, chain)
        }
        return mappingErrors(response, chain.call)
    }

    @inline(never)
    private nonisolated(nonsending) func recoverOrThrow(
        _ error: any Error,
        _ chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var error = error
        do {
            if var response = try await recover?(error, chain.input) {
                chain.call.emit(.errorRecovered)
                response.fallbackReason = response.fallbackReason ?? reason(of: error)
                return mappingErrors(response, chain.call)
            }
        } catch let other {
            if other is CancellationError || Task.isCancelled { throw CancellationError() }
            error = other
        }
        throw mapped(error, chain.call)
    }

    private func mapped(_ error: any Error, _ call: Call) -> any Error {
        let mapped = map?(error) ?? error
        call.emit(
            .errorMapped,
            ["error.type": .text(Redaction.typeName(of: mapped))]
        )
        return mapped
    }

    /// Returns the response with this filter's mapping for decoding errors.
    private func mappingErrors(_ response: consuming HTTP.Response, _ call: Call) -> HTTP.Response {
        if let envelope = reader.envelope { response.envelope = envelope }
        let inner = response.onDecodingFailure
        response.onDecodingFailure = { error in
            call.emit(
                .decodingFailed,
                (error as? HTTP.DecodingFailure).attributes(or: error)
            )
            return mapped(inner?(error) ?? error, call)
        }
        return response
    }

    private func reason(of error: any Error) -> String {
        (error as? any ClassifiedError)?.classification.reason
            ?? Redaction.typeName(of: error)
    }
}

extension Event.Name {
    /// An outcome became an error, mapped or unchanged: `error.type`.
    public static let errorMapped: Self = "error.mapped"
    /// A response replaced an error.
    public static let errorRecovered: Self = "error.recovered"
    /// A response could not be decoded after its call had ended: `type`, `path` and `reason` if the content was wrong,
    /// otherwise `error.type`.
    public static let decodingFailed: Self = "response.decoding_failed"
}

extension HTTP.DecodingFailure? {
    func attributes(or error: any Error) -> Event.Attributes {
        guard let self else { return ["error.type": .text(Redaction.typeName(of: error))] }
        return [
            "type": .text(self.type), "path": .text(self.path),
            "reason": .text(self.code.description),
        ]
    }
}
