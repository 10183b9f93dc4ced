public import GRPCCore

/// Passes a request on.
public struct PassingInterceptor: ClientInterceptor {
    public init() {}

    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: (
            _ request: StreamingClientRequest<Input>,
            _ context: ClientContext
        ) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        try await next(request, context)
    }
}

/// Answers with one number, so that the transport is never asked.
public struct AnsweringInterceptor: ClientInterceptor {
    private let answer: Int

    public init(answer: Int) { self.answer = answer }

    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingClientRequest<Input>,
        context: ClientContext,
        next: (
            _ request: StreamingClientRequest<Input>,
            _ context: ClientContext
        ) async throws -> StreamingClientResponse<Output>
    ) async throws -> StreamingClientResponse<Output> {
        guard let message = answer as? Output else {
            return StreamingClientResponse(
                error: RPCError(code: .internalError, message: "The response is no \(Output.self).")
            )
        }
        typealias Part = StreamingClientResponse<Output>.Contents.BodyPart
        let parts = Parts<Part>([.message(message), .trailingMetadata([:])])
        return StreamingClientResponse(metadata: [:], bodyParts: RPCAsyncSequence(wrapping: parts))
    }
}
