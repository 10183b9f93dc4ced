public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// Interprets the events of a finite stream, such as the output of a language model.
    ///
    /// ```swift
    /// let decoder = HTTP.EventDecoder<Chunk>.json { $0.type == "message_stop" }
    /// ```
    public struct EventDecoder<Output: Sendable>: Sendable {
        /// What an event means.
        public enum Meaning: Sendable {
            /// A part of the output.
            case output(Output)
            /// Nothing, as a sign of life does.
            case nothing
            /// The end of the output; nothing is read after it.
            case end
        }

        let interpret: @Sendable (ServerSentEvent) throws -> Meaning

        /// Creates a decoder.
        /// - Parameter interpret: Returns what an event means, or throws if it reports an error or cannot be
        ///   decoded.
        public init(_ interpret: @escaping @Sendable (_ event: ServerSentEvent) throws -> Meaning) {
            self.interpret = interpret
        }
    }
}

extension HTTP.EventDecoder where Output: Decodable {
    /// Returns a decoder of events whose data is JSON, as OpenAI's and Anthropic's interfaces send it.
    ///
    /// An event of the type `error`, and an object with a member `error` that is not `null`, is the model's
    /// failure: ``HTTP/StreamingError/Code/reportedError``, with the event. Events of the type `ping`
    /// mean nothing.
    /// - Parameters:
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - isEnd: Whether an event is the end. Defaults to the data `[DONE]`.
    public static func json(
        using decoder: JSONDecoder = JSONDecoder(),
        isEnd: @escaping @Sendable (_ event: HTTP.ServerSentEvent) -> Bool = { $0.data == "[DONE]" }
    ) -> Self {
        Self { event in
            if isEnd(event) { return .end }
            if event.type == "ping" { return .nothing }
            let data = Data(event.data.utf8)
            if event.type == "error" || event.data.holds("\"error\""),
                Self.reportsError(event, data)
            {
                throw HTTP.StreamingError(
                    .reportedError,
                    "The server reported an error within the stream.",
                    event: event
                )
            }
            do {
                return .output(try decoder.decode(Output.self, from: data))
            } catch let error as DecodingError {
                throw HTTP.StreamingError(
                    .invalidRecord,
                    "The data of an event cannot be decoded as \(Output.self).",
                    cause: HTTP.DecodingFailure(error, decoding: Output.self)
                )
            }
        }
    }

    private static func reportsError(_ event: HTTP.ServerSentEvent, _ data: Data) -> Bool {
        if event.type == "error" { return true }
        let object = try? JSONDecoder().decode(ErrorMember.self, from: data)
        return object?.isPresent == true
    }
}

/// Whether a JSON object has a member `error` that is not `null`.
private struct ErrorMember: Decodable {
    private enum Key: String, CodingKey { case error }

    let isPresent: Bool

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        isPresent = object.contains(.error) ? try !object.decodeNil(forKey: .error) : false
    }
}
