public import InterceptorKit

/// A fault and the probability of its injection.
///
/// ```swift
/// let faults: [ChaosFault<HTTP.Request>] = [
///     .latency(rate: 0.2, .milliseconds(50)...(.seconds(2))),
///     .refused(rate: 0.02),
///     .status(503, rate: 0.05),
/// ]
/// let injection = FaultInjectionInterceptor(faults)
/// ```
public struct ChaosFault<Input: Interceptable>: Sendable {
    /// A closure that sends an input.
    public typealias Send = nonisolated(nonsending) (_ input: Input) async throws -> Input.Output

    /// A closure that replaces a send.
    /// - Parameters:
    ///   - input: The input.
    ///   - call: The input's call, whose runtime provides time and randomness.
    ///   - send: Sends the input; calling it is optional.
    public typealias Injection =
        nonisolated(nonsending) @Sendable (
            _ input: Input, _ call: Call, _ send: Send
        ) async throws -> Input.Output

    typealias Check = @Sendable (SettingCheck) throws(SettingError) -> Void

    enum Effect: Sendable {
        case delay(ClosedRange<Duration>)
        case replace(Injection)
    }

    /// The fault's name in events and errors.
    public let name: String
    /// The probability, from 0 (never) to 1 (always).
    public let rate: Double
    let effect: Effect
    var check: Check?

    /// Creates a custom fault, which excludes all other faults except latency.
    /// - Parameters:
    ///   - name: The fault's name in events and errors.
    ///   - rate: The probability, from 0 to 1.
    ///   - injection: Replaces the send.
    public init(_ name: String, rate: Double, _ injection: @escaping Injection) {
        self.init(name: name, rate: rate, effect: .replace(injection))
    }

    init(name: String, rate: Double, effect: Effect, check: Check? = nil) {
        self.name = name
        self.rate = rate
        self.effect = effect
        self.check = check
    }

    /// Delays the send. The delay is drawn separately, so a send may be delayed and also meet another fault.
    /// - Parameters:
    ///   - rate: The probability, from 0 to 1.
    ///   - delay: The range of the delay on the call's runtime, uniformly distributed; not negative.
    public static func latency(rate: Double, _ delay: ClosedRange<Duration>) -> ChaosFault {
        ChaosFault(
            name: "latency",
            rate: rate,
            effect: .delay(delay),
            check: { check throws(SettingError) in
                try check.notNegative("delay", delay.lowerBound)
            }
        )
    }

    /// Delays the send; see ``latency(rate:_:)-(_,ClosedRange<Duration>)``.
    public static func latency(rate: Double, _ delay: Duration) -> ChaosFault {
        latency(rate: rate, delay...delay)
    }

    /// Throws the error of a refused connection, known to be unsent, without sending.
    /// - Parameter rate: The probability, from 0 to 1.
    public static func refused(rate: Double) -> ChaosFault {
        ChaosFault("refused", rate: rate) { _, _, _ in
            throw TransportError(
                .cannotConnect,
                "The connection was refused (injected fault).",
                isUnsent: true
            )
        }
    }

    /// Sends the request, releases the response, and throws the error of a reset connection: the server has handled the
    /// request.
    /// - Parameter rate: The probability, from 0 to 1.
    public static func reset(rate: Double) -> ChaosFault {
        losing("reset", rate) {
            TransportError(.connectionLost, "The connection was reset (injected fault).")
        }
    }

    /// Sends the request, releases the response, and throws the error of a malformed response.
    /// - Parameter rate: The probability, from 0 to 1.
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
