public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// Decodes the events of a finite stream, such as the output of a language model.
    ///
    /// ```swift
    /// let decoder = HTTP.EventDecoder<Chunk>.json { $0.type == "message_stop" }
    /// ```
    public struct EventDecoder<Output: Sendable>: Sendable {
        /// The meaning of an event.
        public enum Meaning: Sendable {
            /// A part of the output.
            case output(Output)
            /// A part of the output, and its end, as in an event with the final usage; later events are ignored.
            case last(Output)
            /// No output, as in a keep-alive event.
            case nothing
            /// The end of the output; later events are ignored.
            case end
        }

        let interpret: @Sendable (ServerSentEvent) throws -> Meaning

        /// Creates a decoder.
        /// - Parameter interpret: Returns the meaning of an event; throws if the event reports an error or cannot be
        ///   decoded.
        public init(_ interpret: @escaping @Sendable (_ event: ServerSentEvent) throws -> Meaning) {
            self.interpret = interpret
        }
    }
}

extension HTTP.EventDecoder where Output: Decodable {
    /// Returns a decoder of events whose data is JSON, as in the APIs of OpenAI and Anthropic.
    ///
    /// An event of the type `error`, and an object with a member `error`, report a failure of the model: they throw
    /// ``HTTP/StreamingError/Code/reportedError``, with the event and its message. A member `error` that is `null`,
    /// `false` or empty is ignored, and so are events of the type `ping` and events whose data is blank.
    /// - Parameters:
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - isEnd: Whether an event only marks the end. Defaults to the data `[DONE]`, possibly with blanks around it.
    ///   - isLast: Whether an event is the last part of the output, such as OpenAI's `response.completed` with the
    ///     usage. Defaults to none.
    public static func json(
        using decoder: JSONDecoder = JSONDecoder(),
        isEnd: @escaping @Sendable (_ event: HTTP.ServerSentEvent) -> Bool = {
            HTTP.FieldSyntax.trimmed($0.data) == "[DONE]"
        },
        isLast: @escaping @Sendable (_ event: HTTP.ServerSentEvent) -> Bool = { _ in false }
    ) -> Self {
        Self { event in
            if isEnd(event) { return .end }
            if event.type == "ping" { return .nothing }
            if let error = event.reportedError { throw error }
            if event.isBlank { return .nothing }
            do {
                let output = try decoder.decode(Output.self, from: Data(event.data.utf8))
                return isLast(event) ? .last(output) : .output(output)
            } catch let error as DecodingError {
                throw HTTP.StreamingError(
                    .invalidRecord,
                    "The data of an event cannot be decoded as \(Output.self).",
                    cause: HTTP.DecodingFailure(error, decoding: Output.self)
                )
            }
        }
    }
}

extension HTTP.ServerSentEvent {
    fileprivate var isBlank: Bool { data.utf8.allSatisfy { " \t\n".utf8.contains($0) } }

    fileprivate var reportedError: HTTP.StreamingError? {
        guard type == "error" || data.holds("\"error\"") else { return nil }
        let report = try? JSONDecoder().decode(ErrorReport.self, from: Data(data.utf8))
        guard type == "error" || report?.isError == true else { return nil }
        let message = report.map { $0.message ?? "" } ?? data
        let shown = message.isEmpty ? "" : ": \(HTTP.printable(Redaction.standard.text(message)))"
        return HTTP.StreamingError(
            .reportedError,
            "The server reported an error within the stream\(shown).",
            event: self
        )
    }
}

/// A JSON object that may report an error, in the form that OpenAI, Anthropic and others use.
private struct ErrorReport: Decodable {
    private enum Key: String, CodingKey { case error, message }

    /// Whether the object has a member `error` that is not empty.
    let isError: Bool
    let message: String?

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        // An error that is nested too deeply to decode counts too.
        let error = try? object.decode(JSONValue.self, forKey: .error)
        isError = object.contains(.error) && error?.isAbsentError != true
        let words = try? object.decode(JSONValue.self, forKey: .message)
        message = [error?.value(at: "message"), error, words].lazy.compactMap { $0?.text }.first {
            !$0.isEmpty
        }
    }
}

extension JSONValue {
    fileprivate var isAbsentError: Bool {
        switch self {
        case .null, .bool(false), .string(""), .array([]), .integer(0): true
        case .object(let members): members.isEmpty
        default: false
        }
    }
}
