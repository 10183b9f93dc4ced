public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Body {
    /// Returns a body that sends values as JSON Lines as they come: one JSON text in each line.
    ///
    /// A value is requested from the sequence when the body's reader wants one. The body is one-shot, so a request with
    /// it is not sent again. Set the `Content-Type`, usually `application/x-ndjson` or `application/jsonl`.
    /// - Parameters:
    /// - values: The values. Their error, or an `EncodingError`, ends the body.
    ///   - encoder: The JSON encoder. Defaults to a plain one. Line breaks in its output become spaces.
    ///   - runtime: Starts the task that reads the values. Defaults to the live runtime.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using encoder: JSONEncoder = JSONEncoder(),
        runtime: Runtime = .live
    ) -> HTTP.Body where Values.Element: Encodable {
        let stream = EncodedStream(values, runtime: runtime) { value in
            var record = try encoder.encode(value)
            // Strings escape line feeds, so an unescaped one stands between tokens.
            for index in record.indices where record[index] == UInt8(ascii: "\n") {
                record[index] = UInt8(ascii: " ")
            }
            record.append(UInt8(ascii: "\n"))
            return record
        }
        return .oneShot(stream)
    }

    /// Returns a body that sends values as a JSON text sequence (RFC 7464) as they come: a record separator before each
    /// JSON text, and LF after it.
    ///
    /// A value is requested from the sequence when the body's reader wants one. The body is one-shot, so a request with
    /// it is not sent again. Set the `Content-Type` to `application/json-seq`.
    /// - Parameters:
    ///   - values: The values. Their error, or an `EncodingError`, ends the body.
    ///   - encoder: The JSON encoder. Defaults to a plain one.
    ///   - runtime: Starts the task that reads the values. Defaults to the live runtime.
    public static func jsonSequence<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using encoder: JSONEncoder = JSONEncoder(),
        runtime: Runtime = .live
    ) -> HTTP.Body where Values.Element: Encodable {
        let stream = EncodedStream(values, runtime: runtime) { value in
            var record = Data([0x1E])
            record.append(try encoder.encode(value))
            record.append(UInt8(ascii: "\n"))
            return record
        }
        return .oneShot(stream)
    }
}
