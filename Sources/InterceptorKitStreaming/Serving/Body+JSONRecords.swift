public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Body {
    /// Returns a body that sends values as JSON lines, as they come: one JSON text in each line.
    ///
    /// The sequence is asked for a value when the body's reader wants one. The body can be read once, so a
    /// request with it is not sent again. Set the `Content-Type`, as a rule `application/x-ndjson` or
    /// `application/jsonl`.
    /// - Parameters:
    ///   - values: The values. What it throws, and an `EncodingError`, break the body off.
    ///   - encoder: The JSON encoder. Defaults to a plain one. Line endings of its formatting become spaces.
    ///   - runtime: The source of the task that reads the values. Defaults to the live runtime.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using encoder: JSONEncoder = JSONEncoder(),
        runtime: Runtime = .live
    ) -> HTTP.Body where Values.Element: Encodable {
        let stream = EncodedStream(values, runtime: runtime) { value in
            var record = try encoder.encode(value)
            // In strings they are escaped, so these stand between tokens.
            for index in record.indices where record[index] == UInt8(ascii: "\n") {
                record[index] = UInt8(ascii: " ")
            }
            record.append(UInt8(ascii: "\n"))
            return record
        }
        return .oneShot(stream)
    }

    /// Returns a body that sends values as a JSON text sequence (RFC 7464), as they come: each JSON text
    /// stands between a record separator and LF.
    ///
    /// The sequence is asked for a value when the body's reader wants one. The body can be read once, so a
    /// request with it is not sent again. Set the `Content-Type`, `application/json-seq`.
    /// - Parameters:
    ///   - values: The values. What it throws, and an `EncodingError`, break the body off.
    ///   - encoder: The JSON encoder. Defaults to a plain one.
    ///   - runtime: The source of the task that reads the values. Defaults to the live runtime.
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
