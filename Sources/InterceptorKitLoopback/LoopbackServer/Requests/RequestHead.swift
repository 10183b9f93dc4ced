import InterceptorKit

/// A request line and its header fields (RFC 9112 sections 3 and 5), checked strictly: a server for tests should detect
/// its clients' mistakes.
struct RequestHead {
    enum Framing: Hashable {
        case length(Int)
        case chunks
    }

    let method: HTTP.Method
    let target: String
    let isVersion11: Bool
    let headers: HTTP.Headers
    let framing: Framing

    /// Parses lines that still end with CR LF.
    init(requestLine: [UInt8], fieldLines: [[UInt8]]) throws(RequestRefusal) {
        let words = try Self.text(requestLine)
            .split(at: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[1].isEmpty, HTTP.Headers([(String(words[0]), "")]).count == 1
        else { throw .malformed("The request line is not a method, a target and a version.") }
        guard words[2].begins(with: "HTTP/") else {
            throw .malformed("The request line does not end with an HTTP version.")
        }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw RequestRefusal(
                status: 505,
                sentence: "Only HTTP/1.1 and HTTP/1.0 are served here."
            )
        }
        method = HTTP.Method(rawValue: String(words[0]))
        target = String(words[1])
        isVersion11 = words[2] == "HTTP/1.1"
        headers = try Self.fields(fieldLines)
        framing = try Self.framing(headers)
        let hosts = headers.values("Host").count
        guard hosts == 1 || (hosts == 0 && !isVersion11) else {
            throw .malformed("There are \(hosts) Host fields; an HTTP/1.1 request has exactly one.")
        }
    }

    var path: String { parts.path }
    var query: String? { parts.query }

    var url: HTTP.URL {
        let isPath = target.begins(with: "/")
        let origin = isPath ? headers["Host"].map { "http://" + $0 } : nil
        return HTTP.URL(unvalidated: (origin ?? "") + target)
    }

    /// Whether the client wants to use the connection again (RFC 9112 section 9.3).
    var keepsAlive: Bool {
        let options = headers["Connection"].map { HTTP.listed($0) } ?? []
        return isVersion11 ? !options.contains("close") : options.contains("keep-alive")
    }

    /// Whether the client waits for a 100 before it sends the body.
    var expectsContinue: Bool { isVersion11 && headers["Expect"]?.lowercased() == "100-continue" }

    private var parts: (path: String, query: String?) {
        if !target.hasPrefix("/"), target.contains("://") {
            let url = HTTP.URL(unvalidated: target)
            return (url.path, url.query)
        }
        guard let mark = target.firstIndex(of: "?") else { return (target, nil) }
        return (String(target[..<mark]), String(target[target.index(after: mark)...]))
    }

    /// Parses field lines that still end with CR LF.
    static func fields(_ lines: [[UInt8]]) throws(RequestRefusal) -> HTTP.Headers {
        var headers: HTTP.Headers = [:]
        for line in lines {
            let text = try text(line)
            guard let colon = text.firstIndex(of: ":") else {
                throw .malformed("A header field has no colon.")
            }
            headers.append(
                name: String(text[..<colon]),
                value: String(text[text.index(after: colon)...])
            )
        }
        if let problem = headers.problem { throw .malformed(problem.message) }
        return headers
    }

    private static func framing(_ headers: HTTP.Headers) throws(RequestRefusal) -> Framing {
        let lengths = Set(headers.values("Content-Length"))
        if let coding = headers["Transfer-Encoding"] {
            guard lengths.isEmpty else {
                throw .malformed("There is both a Transfer-Encoding and a Content-Length.")
            }
            guard coding.lowercased() == "chunked" else {
                throw RequestRefusal(
                    status: 501,
                    sentence: "The only transfer coding here is chunked."
                )
            }
            return .chunks
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1, length.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(length)
        else { throw .malformed("The Content-Length is not one number.") }
        return .length(number)
    }

    // Text that is not UTF-8 becomes one character per byte, so that nothing is lost.
    private static func text(_ line: [UInt8]) throws(RequestRefusal) -> String {
        let content = line.dropLast(2)
        if content.contains(13) { throw .malformed("A line contains a bare CR.") }
        return String(validating: content, as: UTF8.self)
            ?? String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }
}

extension HTTP {
    /// Returns the members of a comma-separated list in lower case, without blanks.
    static func listed(_ value: String) -> [String] {
        value.lowercased().split(at: ",").map { member in
            let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
            let scalars = member.unicodeScalars.drop(while: isBlank)
            return String(scalars.prefix { !isBlank($0) })
        }
    }
}
