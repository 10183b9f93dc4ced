public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Content as a file server returns it: whole, or the one requested range (RFC 9110 section 14).
package struct RangedContent: Sendable {
    package var content: Data
    /// The fields of every response. `If-Range` must equal the `ETag` or `Last-Modified` among them.
    package var headers: HTTP.Headers

    package init(_ content: Data, headers: HTTP.Headers) {
        self.content = content
        self.headers = headers
    }

    package struct Response: Sendable {
        package var status: HTTP.Status
        package var headers: HTTP.Headers
        package var body: Data

        package init(status: HTTP.Status, headers: HTTP.Headers, body: Data) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    package func response(to request: HTTP.Headers) -> Response {
        var headers = headers
        headers.setIfAbsent(name: "Accept-Ranges", value: "bytes")
        guard let text = request["Range"], text.begins(with: "bytes="),
            isCurrent(request["If-Range"])
        else { return Response(status: 200, headers: headers, body: content) }
        let bounds = text.dropFirst("bytes=".count)
            .split(at: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard bounds.count == 2, !text.contains(",") else {
            return Response(status: 200, headers: headers, body: content)
        }
        let count = content.count
        let (first, end): (Int, Int)
        switch (bounds[0], bounds[1]) {
        case (let start?, let last):
            (first, end) = (start, min(count - 1, last ?? .max) + 1)
        case (nil, let suffix?): (first, end) = (max(0, count - suffix), count)
        case (nil, nil): return Response(status: 200, headers: headers, body: content)
        }
        guard first < end else {
            headers["Content-Range"] = "bytes */\(count)"
            return Response(status: 416, headers: headers, body: Data())
        }
        headers["Content-Range"] = "bytes \(first)-\(end - 1)/\(count)"
        return Response(status: 206, headers: headers, body: content.subdata(in: first..<end))
    }

    // A weak entity tag never matches (RFC 9110 section 13.1.5).
    private func isCurrent(_ condition: String?) -> Bool {
        guard let condition else { return true }
        return !condition.begins(with: "W/")
            && (condition == headers["ETag"] || condition == headers["Last-Modified"])
    }
}

extension LoopbackServer.Reply {
    /// Returns content as a file server does: complete, or the one range that a request asks for, unless its `If-Range`
    /// names another version (RFC 9110 section 14).
    /// - Parameters:
    ///   - content: The complete content.
    ///   - headers: The fields of every response. An `ETag` or a `Last-Modified` identifies the version. Defaults to
    ///     none.
    ///   - request: The request.
    public static func content(
        _ content: Data,
        headers: HTTP.Headers = [:],
        for request: LoopbackServer.Request
    ) -> Self {
        let answer = RangedContent(content, headers: headers).response(to: request.headers)
        return .status(answer.status, headers: answer.headers, body: answer.body)
    }
}
