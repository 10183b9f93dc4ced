public import InterceptorKit

/// A reply of a script.
///
/// ```swift
/// let steps: [ScriptStep<HTTP.Request>] = [
///     .status(503, headers: ["Retry-After": "2"]),
///     .fail(TransportError(.connectionLost, "The connection was reset.")),
///     .json(#"{"id": 7}"#).delayed(by: .seconds(1)).held(at: gate),
/// ]
/// ```
public struct ScriptStep<Input: Interceptable>: Sendable {
    /// A closure that makes an output from an input and its call.
    public typealias Handler =
        nonisolated(nonsending) @Sendable (
            _ input: Input, _ call: Call
        ) async throws -> Input.Output

    enum Pause: Sendable {
        case delay(Duration)
        case gate(Gate)
    }

    let handler: Handler
    var pauses: [Pause] = []

    /// Returns a step that calls a closure.
    public static func handler(_ handler: @escaping Handler) -> ScriptStep {
        ScriptStep(handler: handler)
    }

    /// Returns a step that returns an output.
    public static func reply(_ output: Input.Output) -> ScriptStep {
        ScriptStep { _, _ in output }
    }

    /// Returns a step that throws an error.
    public static func fail(_ error: any Error) -> ScriptStep {
        ScriptStep { _, _ in throw error }
    }

    /// Returns this step with one more wait before it.
    /// - Parameter delay: The wait, on the call's runtime; not negative.
    public func delayed(by delay: Duration) -> ScriptStep { adding(.delay(delay)) }

    /// Returns this step held by a gate, after its waits.
    public func held(at gate: Gate) -> ScriptStep { adding(.gate(gate)) }

    private func adding(_ pause: Pause) -> ScriptStep {
        var step = self
        step.pauses.append(pause)
        return step
    }
}

extension ScriptStep where Input == HTTP.Request {
    /// Returns a step with a status.
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: The header fields. Defaults to none.
    ///   - body: The body. Defaults to none.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> ScriptStep {
        .reply(HTTP.Response(status, headers: headers, body: body))
    }

    /// Returns a step with JSON text.
    /// - Parameters:
    ///   - text: The body, sent unchanged.
    ///   - status: The status. Defaults to 200.
    ///   - headers: The header fields, to which `Content-Type` is added if it is missing. Defaults to none.
    public static func json(
        _ text: String,
        status: HTTP.Status = 200,
        headers: HTTP.Headers = [:]
    ) -> ScriptStep {
        var headers = headers
        headers.setIfAbsent(name: "Content-Type", value: "application/json")
        return .status(status, headers: headers, body: .text(text))
    }
}
