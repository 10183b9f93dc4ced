public import InterceptorKit

/// One reply of a script.
///
/// ```swift
/// let steps: [ScriptStep<HTTP.Request>] = [
///     .status(503, headers: ["Retry-After": "2"]),
///     .fail(TransportError(.connectionLost, "The connection was reset.")),
///     .json(#"{"id": 7}"#).after(.seconds(1)).held(at: gate),
/// ]
/// ```
public struct ScriptStep<Input: Interceptable>: Sendable {
    /// Makes an output from an input and its call.
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

    /// Answers by a closure.
    public static func handler(_ handler: @escaping Handler) -> ScriptStep {
        ScriptStep(handler: handler)
    }

    /// Answers with an output.
    public static func reply(_ output: Input.Output) -> ScriptStep {
        ScriptStep { _, _ in output }
    }

    /// Throws an error.
    public static func fail(_ error: any Error) -> ScriptStep {
        ScriptStep { _, _ in throw error }
    }

    /// Returns this step with a wait before it, after those it has.
    /// - Parameter delay: On the call's runtime; not negative.
    public func after(_ delay: Duration) -> ScriptStep { adding(.delay(delay)) }

    /// Returns this step held at a gate before it goes on, after the waits it has.
    public func held(at gate: Gate) -> ScriptStep { adding(.gate(gate)) }

    private func adding(_ pause: Pause) -> ScriptStep {
        var step = self
        step.pauses.append(pause)
        return step
    }
}

extension ScriptStep where Input == HTTP.Request {
    /// Answers with a status.
    /// - Parameters:
    ///   - status: The status.
    ///   - headers: Defaults to none.
    ///   - body: Defaults to none.
    public static func status(
        _ status: HTTP.Status,
        headers: HTTP.Headers = [:],
        body: HTTP.Body = .empty
    ) -> ScriptStep {
        .reply(HTTP.Response(status, headers: headers, body: body))
    }

    /// Answers with JSON text.
    /// - Parameters:
    ///   - text: The body, sent as it is.
    ///   - status: Defaults to 200.
    ///   - headers: `Content-Type` is added unless it is there. Defaults to none.
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
