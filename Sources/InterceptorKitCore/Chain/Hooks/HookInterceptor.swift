/// An interceptor that runs code at the phases of a pass. Each phase is optional, asynchronous and may throw.
///
/// Use it instead of an ``Interceptor`` if a few closures are enough:
///
/// ```swift
/// HookInterceptor<HTTP.Request>(
///     "client name",
///     before: { request, _ in request.headers["X-Client"] = "tool" },
///     after: { response, request, _ in print(request.url.path, response.status) }
/// )
/// ```
///
/// `willPrepare` and `before` run on the way down, then the stages below, then `validate` and `after` on the way up.
/// They run once for each pass of the hook: outside a retry once per call, inside it once per attempt. `willSend` and
/// `didReceive` always run just above the transport, once for each send. Several hooks nest like interceptors: the
/// outermost runs first on the way down and last on the way up.
///
/// **Cancellation** passes unchanged: no phase can replace it, and any error that a phase throws after its task was
/// cancelled counts as a cancellation.
public struct HookInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that sees an input on its way down. If it throws, the pass ends.
    public typealias Notice = @Sendable (_ input: Input, _ call: Call) async throws -> Void

    /// A closure that changes an input on its way down, and the call for the stages below. If it throws, the pass ends.
    public typealias Before =
        @Sendable (_ input: inout Input, _ call: inout Call) async throws -> Void

    /// A closure that sees the outcome of one send. If it throws, its error replaces any outcome but a cancellation.
    public typealias Receipt =
        @Sendable (
            _ result: Result<Input.Output, any Error>, _ input: Input, _ call: Call
        ) async throws -> Void

    /// A closure that refuses an output by throwing.
    public typealias Validation =
        @Sendable (
            _ output: Input.Output, _ input: Input, _ call: Call
        ) async throws -> Void

    /// A closure that changes an output on its way up. It gets the input that was passed on.
    public typealias After =
        @Sendable (
            _ output: inout Input.Output, _ input: Input, _ call: Call
        ) async throws -> Void

    /// A closure that replaces an error with an output, returns `nil` to pass the error on, or throws another error.
    public typealias OnError =
        @Sendable (
            _ error: any Error, _ input: Input, _ call: Call
        ) async throws -> Input.Output?

    private let name: String
    private let willPrepare: Notice?
    private let before: Before?
    private let validate: Validation?
    private let after: After?
    private let onError: OnError?
    private let sending: SendingHooks<Input>?

    /// The stage of the standard order; `nil` means anywhere.
    public let placement: Placement?

    /// Creates an interceptor from its phases, which run in the order of the parameters.
    /// - Parameters:
    ///   - name: The name in descriptions and events. Defaults to `HookInterceptor`.
    ///   - placement: The stage of the standard order. Defaults to anywhere.
    ///   - willPrepare: Sees the input before this interceptor changes it. Defaults to nothing.
    ///   - before: Changes the input, and the call for the stages below, for example to disable signing. Defaults to
    ///     nothing.
    ///   - willSend: Sees the signed and complete input just above the transport, before each send. If it throws, that
    ///     send doesn't happen. Defaults to nothing.
    ///   - didReceive: Sees the outcome of each send that `willSend` allowed, just above the transport, including
    ///     cancellations. Defaults to nothing.
    ///   - validate: Refuses an output by throwing. Defaults to nothing.
    ///   - after: Changes the output. Defaults to nothing.
    ///   - onError: Handles errors of other phases and the stages below, except `CancellationError`. Defaults to
    ///     nothing.
    public init(
        _ name: String = "HookInterceptor",
        placement: Placement? = nil,
        willPrepare: Notice? = nil,
        before: Before? = nil,
        willSend: Notice? = nil,
        didReceive: Receipt? = nil,
        validate: Validation? = nil,
        after: After? = nil,
        onError: OnError? = nil
    ) {
        self.name = name
        self.placement = placement
        self.willPrepare = willPrepare
        self.before = before
        self.validate = validate
        self.after = after
        self.onError = onError
        sending = SendingHooks(name: name, willSend: willSend, didReceive: didReceive)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        var call = chain.call
        var input = chain.input
        do {
            try await prepare(&input, &call)
            // Added just above the transport, so that retries below this hook pass it each time.
            let below = sending.map { chain.add(interceptor: $0) } ?? chain
            var output = try await below.proceed(input, call: call)
            try await process(&output, input, call)
            return output
        } catch let error as CancellationError {
            throw error
        } catch {
            return try await recover(error, input, call)
        }
    }

    private nonisolated(nonsending) func prepare(
        _ input: inout Input,
        _ call: inout Call
    ) async throws {
        do {
            try await willPrepare?(input, call)
            try await before?(&input, &call)
        } catch {
            throw error.unlessCancelled
        }
    }

    private nonisolated(nonsending) func process(
        _ output: inout Input.Output,
        _ input: Input,
        _ call: Call
    ) async throws {
        do {
            try await validate?(output, input, call)
            try await after?(&output, input, call)
        } catch {
            await Result<Input.Output, any Error>.success(output).discard(on: call.runtime)
            throw error.unlessCancelled
        }
    }

    private nonisolated(nonsending) func recover(
        _ error: any Error,
        _ input: Input,
        _ call: Call
    ) async throws -> Input.Output {
        let output: Input.Output?
        do {
            output = try await onError?(error, input, call)
        } catch {
            throw error.unlessCancelled
        }
        guard let output else { throw error }
        return output
    }
}

extension HookInterceptor: CustomStringConvertible {
    /// The hook's name.
    public var description: String { name }
}

extension Error {
    /// `CancellationError` if the task is cancelled, else this error.
    fileprivate var unlessCancelled: any Error { Task.isCancelled ? CancellationError() : self }
}

/// The phases of a ``HookInterceptor`` that run just above the transport.
private struct SendingHooks<Input: Interceptable>: Interceptor {
    private let name: String
    private let willSend: HookInterceptor<Input>.Notice?
    private let didReceive: HookInterceptor<Input>.Receipt?

    /// `nil` if there is neither phase, so that hooks without them pay nothing.
    init?(
        name: String,
        willSend: HookInterceptor<Input>.Notice?,
        didReceive: HookInterceptor<Input>.Receipt?
    ) {
        if willSend == nil && didReceive == nil { return nil }
        self.name = name
        self.willSend = willSend
        self.didReceive = didReceive
    }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        do {
            try await willSend?(chain.input, chain.call)
        } catch {
            throw error.unlessCancelled
        }
        guard let didReceive else { return try await chain.proceed() }
        let result: Result<Input.Output, any Error>
        do {
            result = .success(try await chain.proceed())
        } catch {
            result = .failure(error)
        }
        do {
            try await didReceive(result, chain.input, chain.call)
        } catch {
            if case .failure(let cancellation as CancellationError) = result { throw cancellation }
            await result.discard(on: chain.call.runtime)
            throw error.unlessCancelled
        }
        return try result.get()
    }
}

extension SendingHooks: CustomStringConvertible {
    var description: String { "\(name) (send)" }
}
