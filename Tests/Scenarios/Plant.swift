public import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Puts a secret where secrets may be, at random.
public struct Plant {
    private var chance: SeededGenerator
    private let secret: String

    /// The body of the last request made.
    public private(set) var sentBody = Data()
    /// The last body made.
    public private(set) var body = Data()

    /// Plants a secret in the places that a seed says.
    public init(_ secret: String, seed: UInt64) {
        chance = SeededGenerator(seed: seed)
        self.secret = secret
    }

    /// A request with the secret in its URL, fields and body.
    public mutating func request() -> HTTP.Request {
        var url =
            "https://" + (pick(["", "u:\(secret)@", "\(secret)@"])) + "api.example.com/orders"
        let name = pick([
            "token", "access_token", "Signature", "api%5Fkey", "client_secret", "code",
        ])
        url += pick(["", "?\(name)=\(secret)", "?a=1&\(name)=\(secret)&b=2", "#\(name)=\(secret)"])
        let base = url
        // A base that was interpolated as a value is refused, and shown.
        let address = pick([
            HTTP.URL(unvalidated: url), HTTP.URL(unvalidated: url), HTTP.URL(unvalidated: url),
            "\(base)/items",
        ])
        var request = HTTP.Request(.post, address, headers: headers())
        sentBody = content()
        request.body = .bytes(sentBody)
        request.headers["Content-Type"] = contentType
        return request
    }

    /// A response with the secret in its fields and body.
    public mutating func response() -> HTTP.Response {
        HTTP.Response(
            pick([200, 302, 401, 500, 503]),
            headers: headers(),
            body: .bytes(content())
        )
    }

    /// An error that tells the secret, or none.
    public mutating func error() -> (any Error)? {
        pick([
            nil, Telltale(text: "GET https://u:\(secret)@h/?token=\(secret)"),
            Telltale(text: "Authorization: Bearer \(secret)"), Telltale(text: "Bearer \(secret)"),
            Telltale(text: "password=\(secret)&x=1"),
            Telltale(text: #"{"refreshToken": "\#(secret)"}"#),
            Telltale(text: "Cookie: a=1; session=\(secret)"),
            TransportError(.tls, "No trust in https://h/?access_token=\(secret)."),
        ])
    }

    private var contentType = "application/json"

    private mutating func headers() -> HTTP.Headers {
        var headers: HTTP.Headers = ["Accept": "text/plain"]
        let name = pick([
            "Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Whatever", "Signature", "dpop",
        ])
        headers[name] = pick([secret, "Bearer \(secret)", "a=\(secret); b"])
        if pick([true, false]) { headers["Location"] = "https://h/?code=\(secret)" }
        return headers
    }

    private mutating func content() -> Data {
        let name = pick(["password", "accessToken", "client_secret", "session-id"])
        let text: String
        (contentType, text) = pick([
            ("application/json", #"{"a":[{"\#(name)":"\#(secret)"}],"b":1}"#),
            ("application/json", #"{"text":"{\"\#(name)\":\"\#(secret)\"}"}"#),
            ("application/x-www-form-urlencoded", "a=1&\(name)=\(secret)"),
            ("application/json", #"{"\#(name)":"\#(secret)"#),
        ])
        body = Data(text.utf8)
        return body
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int(chance.next() % UInt64(choices.count))]
    }
}

/// Throws an error, or answers where there is none.
public struct PlantedTransport: Transport {
    private let response: HTTP.Response
    private let failure: (any Error)?

    public init(_ response: HTTP.Response, or failure: (any Error)?) {
        self.response = response
        self.failure = failure
    }

    public func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        call.emit("test.sent", from: "test")
        if let failure { throw failure }
        return response
    }
}

private struct Telltale: Error {
    let text: String
}
