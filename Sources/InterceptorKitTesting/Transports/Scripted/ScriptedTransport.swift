public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitLoopback
import Synchronization

/// A transport that replies from a script and records the inputs.
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
/// All state belongs to the instance, so tests that run side by side are independent. A response without a request gets
/// the request that it belongs to.
///
/// An unexpected send throws a ``TestKitError`` that names the nearest expectation and the differences. To hold a send
/// in flight, put a ``Gate`` into its reply; see ``ScriptStep/held(at:)``.
///
/// Bodies that can be sent again are recorded, up to 16 MiB. A one-shot body is left to the reply, unless you use
/// ``reading(oneShotBodies:)``.
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

    /// Creates a transport that gives each send the next reply, whatever the input.
    ///
    /// A send without a reply throws a ``TestKitError`` with its number.
    /// - Parameter replies: The replies, in order.
    public convenience init(replies: [ScriptStep<Input>]) {
        let turns = replies.enumerated().map { index, step in
            ScriptExpectation("Reply \(index + 1) of the script", [], replies: [step])
        }
        self.init(.script, Script(turns, order: .sequence))
    }

    /// Creates a transport that gives each send a reply of the first matching expectation that has one left.
    /// - Parameter expectations: The expected inputs, in any order.
    public convenience init(expecting expectations: [ScriptExpectation<Input>]) {
        self.init(.script, Script(expectations, order: .dispatch))
    }

    /// Creates a transport that expects its sends in one order.
    ///
    /// A turn with several replies matches that many sends. A repeating turn continues, and an optional one is skipped,
    /// until a send does not match it.
    /// - Parameter turns: The expected inputs with their replies, in order.
    public convenience init(conversation turns: [ScriptExpectation<Input>]) {
        self.init(.script, Script(turns, order: .sequence))
    }

    /// Creates a transport that calls a closure for every send.
    /// - Parameter handler: Returns the output, or throws.
    public convenience init(_ handler: @escaping ScriptStep<Input>.Handler) {
        self.init(.handler(handler), Script([], order: .dispatch))
    }

    /// Returns a transport with the same script, unused, that also reads one-shot bodies.
    ///
    /// Replies then see the request with its content in memory.
    /// - Parameter oneShotBodies: Whether to read them.
    public func reading(oneShotBodies: Bool) -> ScriptedTransport {
        let script = state.withLock { Script($0.script.expectations, order: $0.script.order) }
        return ScriptedTransport(source, script, readsOneShotBodies: oneShotBodies)
    }

    /// The inputs that were sent, in order, including failed and held ones.
    public var sent: [Sent] { state.withLock { $0.sent } }

    /// The expected inputs that were not sent, one line each, without optional ones.
    public var unused: [String] { state.withLock { $0.script.unused } }

    /// Throws a ``TestKitError`` that lists the expected inputs that were not sent.
    public func verify() throws {
        let unused = unused
        guard unused.isEmpty else {
            let lines = unused.map { "- \($0)" }.joined(separator: "\n")
            throw TestKitError(.unused, "The script was not used up:\n\(lines)")
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

    // By cast, because generic code would not choose a constrained overload.
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
                    throw TestKitError(
                        .invalidStep,
                        "\(place) waits \(delay.formattedSeconds); a wait cannot be negative."
                    )
                }
                try await call.runtime.sleep(for: delay)
            }
        }
    }
}
