import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport

/// A message of the published vectors of RFC 9421.
struct VectorMessage: Decodable {
    let method: String?
    let request_target: String?
    let scheme: String?
    let status: Int?
    let headers: [[String]]
    let trailers: [[String]]?
    let body: String?

    /// As a server's parser would hand it on.
    func signable(answering answered: HTTP.Request? = nil) async throws -> SignableMessage {
        if status != nil { return .response(try await response, to: answered) }
        return .request(request(), target: request_target.flatMap { $0.isEmpty ? nil : $0 })
    }

    func request(adding fields: [String: String] = [:]) -> HTTP.Request {
        let target = request_target ?? ""
        let scheme = scheme ?? "https"
        let host = headers.first { $0[0] == "Host" }?[1] ?? ""
        let isOrigin = target.isEmpty || target.hasPrefix("/")
        let isAbsolute = target.hasPrefix(scheme)
        return HTTP.Request(
            HTTP.Method(rawValue: method ?? ""),
            HTTP.URL(
                unvalidated: isAbsolute ? target : "\(scheme)://\(host)\(isOrigin ? target : "/")"
            ),
            headers: Self.headers(headers + fields.map { [$0.key, $0.value] }),
            body: .text(body ?? "")
        )
    }

    var response: HTTP.Response {
        get async throws {
            let body: HTTP.Body
            if let trailers {
                body = .oneShot(EndedStream(trailers: Self.headers(trailers)))
                _ = try await body.collect()
            } else {
                body = .text(self.body ?? "")
            }
            return HTTP.Response(
                HTTP.Status(status ?? 0),
                headers: Self.headers(headers),
                body: body
            )
        }
    }

    // Folded lines are unfolded by anyone who parses the message (RFC 9112 section 5.2).
    private static func headers(_ lines: [[String]]) -> HTTP.Headers {
        HTTP.Headers(
            lines.map { line in
                let words = line[1].split(separator: "\r\n", omittingEmptySubsequences: false)
                let rest = words.dropFirst().map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
                }
                return (line[0], ([String(words[0])] + rest).joined(separator: " "))
            }
        )
    }
}

/// Content that has been read, with the fields after it.
private final class EndedStream: HTTP.BodyStream {
    let trailers: HTTP.Headers?
    init(trailers: HTTP.Headers) { self.trailers = trailers }
    func next() async throws -> Data? { nil }
    func cancel() {}
}

/// Knows one signature of one text, as a pair of keys does.
struct KnownSignature: MessageSigner, MessageVerifier {
    let algorithm: SignatureAlgorithm
    let signature: [UInt8]
    let message: String

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        signature == self.signature && message == Array(self.message.utf8)
    }

    func signature(of message: [UInt8]) throws -> [UInt8] {
        message == Array(self.message.utf8) ? signature : []
    }
}
