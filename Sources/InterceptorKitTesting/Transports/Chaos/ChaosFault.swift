public import InterceptorKit

/// A fault and how often it is injected.
///
/// ```swift
/// let faults: [ChaosFault<HTTP.Request>] = [
///     .latency(rate: 0.2, .milliseconds(50)...(.seconds(2))),
///     .refused(rate: 0.02),
///     .status(503, rate: 0.05),
/// ]
/// let network = try ChaosTransport(over: service, faults)
/// ```
public struct ChaosFault<Input: Interceptable>: Sendable {
    /// Sends an input on.
    public typealias Send = nonisolated(nonsending) (_ input: Input) async throws -> Input.Output

    /// Takes the place of a send.
    /// - Parameters:
    ///   - input: What is sent.
    ///   - call: The call it belongs to; time and randomness come from its runtime.
    ///   - send: Sends it on; need not be called.
    public typealias Injection =
        nonisolated(nonsending) @Sendable (
            _ input: Input, _ call: Call, _ send: Send
        ) async throws -> Input.Output

    enum Effect: Sendable {
        case delay(ClosedRange<Duration>)
        case replace(Injection)
    }

    /// Names the fault in events and errors.
    public let name: String
    /// How often it is injected, from 0 (never) to 1 (always).
    public let rate: Double
    let effect: Effect
    var problem: String?

    /// Creates a fault of your own, which excludes all others but latency.
    /// - Parameters:
    ///   - name: Names it in events and errors.
    ///   - rate: How often it is injected, from 0 to 1.
    ///   - injection: Takes the place of the send.
    public init(_ name: String, rate: Double, _ injection: @escaping Injection) {
        self.init(name: name, rate: rate, effect: .replace(injection))
    }

    init(name: String, rate: Double, effect: Effect, problem: String? = nil) {
        self.name = name
        self.rate = rate
        self.effect = effect
        self.problem = problem
    }

    /// Waits before the send. Drawn for itself: a send may be late and meet another fault.
    /// - Parameters:
    ///   - rate: How often, from 0 to 1.
    ///   - delay: How long: uniformly distributed in this range, on the call's runtime; not negative.
    public static func latency(rate: Double, _ delay: ClosedRange<Duration>) -> ChaosFault {
        ChaosFault(
            name: "latency",
            rate: rate,
            effect: .delay(delay),
            problem: delay.lowerBound < .zero
                ? "waits \(delay.lowerBound.formattedSeconds); a wait cannot be negative" : nil
        )
    }

    /// Waits before the send; see ``latency(rate:_:)-(_,ClosedRange<Duration>)``.
    public static func latency(rate: Double, _ delay: Duration) -> ChaosFault {
        latency(rate: rate, delay...delay)
    }

    /// Sends nothing and throws as a refused connection does: known to be unsent.
    /// - Parameter rate: How often, from 0 to 1.
    public static func refused(rate: Double) -> ChaosFault {
        ChaosFault("refused", rate: rate) { _, _, _ in
            throw TransportError(
                .cannotConnect,
                "The connection was refused (injected fault).",
                isUnsent: true
            )
        }
    }

    /// Sends, releases what came back and throws as a reset connection does: the server has
    /// done what was asked.
    /// - Parameter rate: How often, from 0 to 1.
    public static func reset(rate: Double) -> ChaosFault {
        losing("reset", rate) {
            TransportError(.connectionLost, "The connection was reset (injected fault).")
        }
    }

    /// Sends, releases what came back and throws as an engine does that cannot read the response.
    /// - Parameter rate: How often, from 0 to 1.
    public static func malformed(rate: Double) -> ChaosFault {
        losing("malformed", rate) {
            TransportError(.protocolViolation, "The response was malformed (injected fault).")
        }
    }

    private static func losing(
        _ name: String,
        _ rate: Double,
        _ error: @escaping @Sendable () -> TransportError
    ) -> ChaosFault {
        ChaosFault(name, rate: rate) { input, call, send in
            let output = try await send(input)
            await (output as? any Discardable)?.discard(on: call.runtime)
            throw error()
        }
    }
}
