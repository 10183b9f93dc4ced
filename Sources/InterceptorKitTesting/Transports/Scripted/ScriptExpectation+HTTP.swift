public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ScriptExpectation where Input == HTTP.Request {
    /// Returns an expectation of a method and a target.
    /// - Parameters:
    ///   - method: The method.
    ///   - target: A path, as in `/orders/7`, which accepts any query; a path and query, as in `/orders?page=2`, or a
    ///     complete URL, which must be equal.
    ///   - replies: One for each match, in order.
    public static func request(
        _ method: HTTP.Method,
        _ target: String,
        _ replies: ScriptStep<HTTP.Request>...
    ) -> ScriptExpectation {
        expecting(method, target, replies)
    }

    /// Returns an expectation of a `GET`; see ``request(_:_:_:)``.
    public static func get(
        _ target: String,
        _ replies: ScriptStep<HTTP.Request>...
    ) -> ScriptExpectation {
        expecting(.get, target, replies)
    }

    /// Returns an expectation of a `POST`; see ``request(_:_:_:)``.
    public static func post(
        _ target: String,
        _ replies: ScriptStep<HTTP.Request>...
    ) -> ScriptExpectation {
        expecting(.post, target, replies)
    }

    /// Returns an expectation of a `PUT`; see ``request(_:_:_:)``.
    public static func put(
        _ target: String,
        _ replies: ScriptStep<HTTP.Request>...
    ) -> ScriptExpectation {
        expecting(.put, target, replies)
    }

    /// Returns an expectation of a `DELETE`; see ``request(_:_:_:)``.
    public static func delete(
        _ target: String,
        _ replies: ScriptStep<HTTP.Request>...
    ) -> ScriptExpectation {
        expecting(.delete, target, replies)
    }

    private static func expecting(
        _ method: HTTP.Method,
        _ target: String,
        _ replies: [ScriptStep<HTTP.Request>]
    ) -> ScriptExpectation {
        ScriptExpectation(
            "\(method) \(Redaction.standard.url(target))",
            [.method(method), .target(target)],
            replies: replies
        )
    }

    /// Returns this expectation for requests that also carry a field, whose values are joined by `, `.
    public func header(_ name: String, _ value: String) -> ScriptExpectation {
        matching(.header(name, value))
    }

    /// Returns this expectation for requests that also carry a query parameter.
    /// - Parameters:
    ///   - name: The parameter's name, decoded.
    ///   - value: The parameter's value, decoded.
    public func query(_ name: String, _ value: String) -> ScriptExpectation {
        matching(.query(name, value))
    }

    /// Returns this expectation for requests with exactly these bytes as their body.
    public func body(_ bytes: Data) -> ScriptExpectation { matching(.body(bytes)) }

    /// Returns this expectation for requests with exactly this text as their body.
    public func body(_ text: String) -> ScriptExpectation { body(Data(text.utf8)) }
}

extension ScriptCondition where Input == HTTP.Request {
    fileprivate static func method(_ method: HTTP.Method) -> Self {
        Self { request, _ in
            guard request.method != method else { return nil }
            return ScriptDifference(
                "the method is \(request.method), not \(method)",
                distance: 0.5
            )
        }
    }

    fileprivate static func target(_ target: String) -> Self {
        let redaction = Redaction.standard
        let isURL = target.contains("://")
        let part = isURL ? "URL" : target.contains("?") ? "path and query" : "path"
        return Self { request, _ in
            let url = request.url
            let sent: String =
                switch part {
                case "URL": url.text
                case "path": url.path.isEmpty ? "/" : url.path
                default: url.requestTarget
                }
            guard sent != target else { return nil }
            return ScriptDifference(
                "the \(part) is \(redaction.url(sent)), not \(redaction.url(target))",
                distance: editDistance(sent, target)
            )
        }
    }

    fileprivate static func header(_ name: String, _ value: String) -> Self {
        Self { request, _ in
            guard let sent = request.headers[name] else {
                return ScriptDifference("the field \(name) is missing", distance: 0.5)
            }
            guard sent != value else { return nil }
            let shown = Redaction.standard.headers([name: sent]).first?.value ?? ""
            let expected = Redaction.standard.headers([name: value]).first?.value ?? ""
            return ScriptDifference(
                shown == expected
                    ? "the field \(name) has another value"
                    : "the field \(name) is \(shown), not \(expected)",
                distance: 0.25
            )
        }
    }

    fileprivate static func query(_ name: String, _ value: String) -> Self {
        Self { request, _ in
            let sent = request.url.queryParameters.filter { $0.name == name }
            guard !sent.contains(where: { $0.value == value }) else { return nil }
            return ScriptDifference(
                sent.isEmpty
                    ? "the query parameter \(name) is missing"
                    : "the query parameter \(name) has another value",
                distance: sent.isEmpty ? 0.5 : 0.25
            )
        }
    }

    fileprivate static func body(_ bytes: Data) -> Self {
        Self { _, body in
            guard let sent = body?.bytes else {
                return ScriptDifference("the body was not read, so it cannot be compared")
            }
            guard sent != bytes else { return nil }
            let common = zip(sent, bytes).prefix { $0 == $1 }.count
            return ScriptDifference(
                "the body's \(sent.count) bytes differ from the \(bytes.count) expected after "
                    + "the first \(common)",
                distance: 0.25
            )
        }
    }
}

/// Returns the distance of two texts, from 0 (equal) to 1 (nothing in common): the fewest insertions, deletions and
/// substitutions of bytes that turn one into the other (Levenshtein 1966), over the longer one's length.
package func editDistance(_ left: String, _ right: String) -> Double {
    // Enough to tell paths apart, and a bound for the cost of a failing send.
    let left = Array(left.utf8.prefix(256))
    let right = Array(right.utf8.prefix(256))
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 0 : 1 }
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for (column, other) in right.enumerated() {
            let substitution = diagonal + (byte == other ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substitution, row[column] + 1, row[column + 1] + 1)
        }
    }
    return Double(row[right.count]) / Double(max(left.count, right.count))
}
