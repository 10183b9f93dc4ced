public import InterceptorKit

/// A transport that answers from a script and records what was sent.
///
/// ```swift
/// let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .json(#"{"id": 7}"#)])
/// …
/// #expect(transport.sent.map(\.input.url.path) == ["/orders/7", "/orders/7"])
/// ```
///
/// All state belongs to the instance, so tests that run side by side never meet. A response without
/// a request is given the one it answers.
public final class ScriptedTransport<Input: Interceptable>: Transport {
    /// One input that was sent.
    public struct Sent: Sendable {
        /// What was sent.
        public let input: Input
        /// The call it belongs to.
        public let call: Call
        /// When, on the call's runtime.
        public let instant: Runtime.Instant

        /// The call's attempt, from 1.
        public var attempt: Int { call.attempt }
    }

    private enum Script: Sendable {
        case steps([ScriptStep<Input>])
        case answer(ScriptStep<Input>.Answer)
    }

    private let script: Script
    private let record = Lock<[Sent]>([])

    /// Creates a transport that answers each send with the next reply.
    ///
    /// A send for which no reply is left throws a ``ScriptError`` that says which one it was.
    /// - Parameter replies: The replies, in order.
    public init(replies: [ScriptStep<Input>]) { script = .steps(replies) }

    /// Creates a transport that answers every send by a closure.
    /// - Parameter answer: Makes the output, or throws.
    public init(_ answer: @escaping ScriptStep<Input>.Answer) { script = .answer(answer) }

    /// What was sent, in order, including what failed and what is still held.
    public var sent: [Sent] { record.withLock { $0 } }

    public nonisolated(nonsending) func send(
        _ input: Input,
        call: Call
    ) async throws -> Input.Output {
        let entry = Sent(input: input, call: call, instant: call.runtime.now)
        let number = record.withLock { record in
            record.append(entry)
            return record.count
        }
        switch script {
        case .answer(let answer): return linked(try await answer(input, call), to: input)
        case .steps(let steps):
            guard number <= steps.count else { throw exhausted(steps.count, number, input) }
            let step = steps[number - 1]
            for pause in step.pauses { try await wait(pause, call: call, step: number) }
            return linked(try await step.answer(input, call), to: input)
        }
    }

    private nonisolated(nonsending) func wait(
        _ pause: ScriptStep<Input>.Pause,
        call: Call,
        step: Int
    ) async throws {
        switch pause {
        case .gate(let gate): try await gate.pass()
        case .delay(let delay):
            guard delay >= .zero else {
                throw ScriptError(
                    .invalidStep,
                    "Reply \(step) of the script waits \(delay.formattedSeconds); a wait cannot be "
                        + "negative."
                )
            }
            try await call.runtime.sleep(for: delay)
        }
    }

    private func exhausted(_ count: Int, _ number: Int, _ input: Input) -> ScriptError {
        let replies = count == 1 ? "1 reply" : "\(count) replies"
        return ScriptError(
            .exhausted,
            "The script has \(replies) and this is send \(number): \(input)."
        )
    }

    // By cast, because a constrained overload would not be chosen from generic code.
    private func linked(_ output: Input.Output, to input: Input) -> Input.Output {
        guard var response = output as? HTTP.Response, response.request == nil else {
            return output
        }
        response.request = input as? HTTP.Request
        return response as? Input.Output ?? output
    }
}
