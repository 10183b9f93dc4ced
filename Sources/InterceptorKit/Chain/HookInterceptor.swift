/// Runs code before a passage, after it, or when it fails; each phase is optional.
///
/// For those who think in phases rather than in a chain:
///
/// ```swift
/// HookInterceptor<HTTP.Request>(
///     before: { request, _ in request.headers["X-Client"] = "tool" },
///     onError: { error, request, _ in log(error, request); return nil }
/// )
/// ```
///
/// Nested and listed hooks interleave as interceptors do: `before` phases run outermost first,
/// `after` and `onError` phases innermost first.
public struct HookInterceptor<Input: Interceptable>: Interceptor {
    /// Changes an input on its way down; what it throws ends the passage.
    public typealias Before = @Sendable (_ input: inout Input, _ call: Call) async throws -> Void

    /// Changes an output on its way up, given the input that was passed on.
    public typealias After =
        @Sendable (
            _ output: inout Input.Output, _ input: Input, _ call: Call
        ) async throws -> Void

    /// Answers an error with an output, with `nil` to pass the error on untouched, or by throwing
    /// another.
    public typealias OnError =
        @Sendable (
            _ error: any Error, _ input: Input, _ call: Call
        ) async throws -> Input.Output?

    private let before: Before?
    private let after: After?
    private let onError: OnError?

    /// Creates an interceptor from its phases.
    /// - Parameters:
    ///   - before: Runs before the stages below. Defaults to nothing.
    ///   - after: Runs after the stages below have answered. Defaults to nothing.
    ///   - onError: Runs when `before`, the stages below or `after` threw; never for
    ///     `CancellationError`, which passes as itself. Defaults to nothing.
    public init(before: Before? = nil, after: After? = nil, onError: OnError? = nil) {
        self.before = before
        self.after = after
        self.onError = onError
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        var input = chain.input
        do {
            try await before?(&input, chain.call)
            var output = try await chain.proceed(input)
            try await after?(&output, input, chain.call)
            return output
        } catch let error as CancellationError {
            throw error
        } catch {
            guard let output = try await onError?(error, input, chain.call) else { throw error }
            return output
        }
    }
}
