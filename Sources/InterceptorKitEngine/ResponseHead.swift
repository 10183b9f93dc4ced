package import InterceptorKit

/// Fields in an engine's own form, which are converted where that delays no other exchange.
package protocol HeaderSource: AnyObject, Sendable {
    func makeHeaders() -> HTTP.Headers
}

/// A response before its body.
package struct ResponseHead: Sendable {
    private enum Fields {
        // `Content-Length` is kept because it is looked up only once.
        case converted(HTTP.Headers, statedLength: String?)
        case unconverted(any HeaderSource)
    }

    package let status: HTTP.Status
    private let fields: Fields

    package init(status: HTTP.Status, headers: HTTP.Headers) {
        self.status = status
        fields = .converted(headers, statedLength: headers["Content-Length"])
    }

    /// Creates a head whose fields are converted once its caller has it.
    package init(status: HTTP.Status, _ source: any HeaderSource) {
        self.status = status
        fields = .unconverted(source)
    }

    package var headers: HTTP.Headers {
        switch fields {
        case .converted(let headers, _): headers
        case .unconverted(let source): source.makeHeaders()
        }
    }

    private var statedLength: String? {
        switch fields {
        case .converted(_, let length): length
        case .unconverted(let source): source.makeHeaders()["Content-Length"]
        }
    }

    /// The content's length, if it is stated.
    package var length: Int? { statedLength.flatMap { Int($0) } }

    package func converted() -> ResponseHead { ResponseHead(status: status, headers: headers) }

    /// Whether the content's length is valid and, if stated several times, always the same (RFC 9112 section 6.3).
    package var hasOneLength: Bool {
        guard let stated = statedLength else { return true }
        if Self.isLength(stated.utf8) { return true }
        let lengths = stated.utf8
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Array($0.trimmed) }
        return Set(lengths).count == 1 && lengths.allSatisfy(Self.isLength)
    }

    private static func isLength(_ text: some Collection<UInt8>) -> Bool {
        text.allSatisfy { 0x30...0x39 ~= $0 } && Int(String(decoding: text, as: UTF8.self)) != nil
    }

    /// Whether the method and status imply that no content follows (RFC 9112 section 6.3).
    package func isBodiless(method: HTTP.Method) -> Bool {
        method == .head || status == 204 || status == 304 || statedLength == "0"
    }
}

extension ResponseHead: Equatable {
    package static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.headers == right.headers
    }
}

extension Substring.UTF8View {
    /// The view without blanks at its ends.
    fileprivate var trimmed: Substring.UTF8View {
        let blanks = " \t".utf8
        var rest = self
        while let byte = rest.first, blanks.contains(byte) { rest = rest.dropFirst() }
        while let byte = rest.last, blanks.contains(byte) { rest = rest.dropLast() }
        return rest
    }
}
