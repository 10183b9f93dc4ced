public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A transport that answers from a script and records what was sent.
///
/// ```swift
/// try Simulation.run { simulation in
///     let transport = ScriptedTransport<HTTP.Request>(expecting: [
///         .get("/orders/7", .status(503), .json(#"{"id": 7}"#))
///     ])
///     let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
///         RetryInterceptor(policy: .standard)
///     }
///
///     _ = try await client.send(.get("https://api.example.com/orders/7"))
///
///     #expect(transport.sent.map(\.line) == ["GET /orders/7", "GET /orders/7"])
///     try transport.verify()
/// }
/// ```
///
/// All state belongs to the instance, so tests that run side by side never meet. A response without
/// a request is given the one it answers.
///
/// A send that the script does not expect throws a ``ScriptError`` that names the nearest expectation
/// and what differs. To hold a send in flight, put a ``Gate`` into its reply; see
/// ``ScriptStep/held(at:)``.
///
/// Bodies that can be sent again are collected with what was sent, up to 16 MiB. A one-shot body is
/// left to the reply, unless ``reading(oneShotBodies:)`` asks for it.
public final class ScriptedTransport<Input: Interceptable>: Transport {
    private enum Source: Sendable {
        case script
        case handler(ScriptStep<Input>.Handler)
    }

    private struct State {
        var script: Script<Input>
        var sent: [Sent] = []
    }

    private let source: Source
    private let readsOneShotBodies: Bool
    private let state: Lock<State>

    private init(_ source: Source, _ script: Script<Input>, readsOneShotBodies: Bool = false) {
        self.source = source
        self.readsOneShotBodies = readsOneShotBodies
        state = Lock(State(script: script))
    }

    /// Creates a transport that answers each send with the next reply, whatever was sent.
    ///
    /// A send for which no reply is left throws a ``ScriptError`` that says which one it was.
    /// - Parameter replies: The replies, in order.
    public convenience init(replies: [ScriptStep<Input>]) {
        let turns = replies.enumerated().map { index, step in
            ScriptExpectation("Reply \(index + 1) of the script", [], replies: [step])
        }
        self.init(.script, Script(turns, order: .sequence))
    }

    /// Creates a transport that answers each send by the first expectation it matches that has a
    /// reply left.
    /// - Parameter expectations: What may be sent, in any order.
    public convenience init(expecting expectations: [ScriptExpectation<Input>]) {
        self.init(.script, Script(expectations, order: .dispatch))
    }

    /// Creates a transport that expects its sends in one order.
    ///
    /// A turn with several replies is that many sends. A repeating turn goes on, and an optional one
    /// is left out, until a send does not match it.
    /// - Parameter turns: What is sent and answered, in order.
    public convenience init(conversation turns: [ScriptExpectation<Input>]) {
        self.init(.script, Script(turns, order: .sequence))
    }

    /// Creates a transport that answers every send by a closure.
    /// - Parameter handler: Makes the output, or throws.
    public convenience init(_ handler: @escaping ScriptStep<Input>.Handler) {
        self.init(.handler(handler), Script([], order: .dispatch))
    }

    /// Returns a transport with the same script, unused, that reads one-shot bodies as well.
    ///
    /// Replies then see the request with its content in memory.
    /// - Parameter oneShotBodies: Whether to read them.
    public func reading(oneShotBodies: Bool) -> ScriptedTransport {
        let script = state.withLock { Script($0.script.expectations, order: $0.script.order) }
        return ScriptedTransport(source, script, readsOneShotBodies: oneShotBodies)
    }

    /// What was sent, in order, including what failed and what is still held.
    public var sent: [Sent] { state.withLock { $0.sent } }

    /// What the script expects and was not sent, one line each; optional expectations are left out.
    public var unused: [String] { state.withLock { $0.script.unused } }

    /// Throws a ``ScriptError`` that lists what the script expects and was not sent.
    public func verify() throws {
        let unused = unused
        guard unused.isEmpty else {
            let lines = unused.map { "- \($0)" }.joined(separator: "\n")
            throw ScriptError(.unused, "The script was not used up:\n\(lines)")
        }
    }

    public nonisolated(nonsending) func send(
        _ input: Input,
        call: Call
    ) async throws -> Input.Output {
        let entry = Sent(input: input, call: call, instant: call.runtime.now)
        let number = state.withLock { state in
            state.sent.append(entry)
            return state.sent.count
        }
        let input = try await readingBody(of: input, send: number)
        switch source {
        case .handler(let handler): return linked(try await handler(input, call), to: input)
        case .script:
            let selection = try state.withLock { state in
                let body = state.sent[number - 1].content
                return try state.script.next(input, body, send: number)
            }
            try await selection.wait(call)
            return linked(try await selection.step.handler(input, call), to: input)
        }
    }

    // By cast, because a constrained overload would not be chosen from generic code.
    private nonisolated(nonsending) func readingBody(
        of input: Input,
        send: Int
    ) async throws -> Input {
        guard var request = input as? HTTP.Request else { return input }
        if readsOneShotBodies, !request.body.isReplayable {
            request.body = .bytes(try await request.body.collect())
        }
        let content = try await request.body.captured()
        state.withLock { $0.sent[send - 1].content = content }
        return request as? Input ?? input
    }

    private func linked(_ output: Input.Output, to input: Input) -> Input.Output {
        guard var response = output as? HTTP.Response, response.request == nil else {
            return output
        }
        response.request = input as? HTTP.Request
        return response as? Input.Output ?? output
    }
}

extension Script.Selection {
    fileprivate nonisolated(nonsending) func wait(_ call: Call) async throws {
        for pause in step.pauses {
            switch pause {
            case .gate(let gate): try await gate.pass()
            case .delay(let delay):
                guard delay >= .zero else {
                    throw ScriptError(
                        .invalidStep,
                        "\(place) waits \(delay.formattedSeconds); a wait cannot be negative."
                    )
                }
                try await call.runtime.sleep(for: delay)
            }
        }
    }
}
