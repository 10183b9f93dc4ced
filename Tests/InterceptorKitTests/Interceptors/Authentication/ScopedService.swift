import InterceptorKit
import InterceptorKitTesting
import TestSupport

/// An API whose paths are the scopes that they need, as in `/read`, and the source of its tokens, which are the scopes
/// that they have, as in `read+write`. It takes a token with `expired`, and for `/new` any without `new`,
/// for an invalid one.
final class ScopedService: Sendable {
    /// What the source was asked for: the scopes of the need, in order, or `-`.
    let asked = Recorder<String>()
    /// Holds back the source, once it is closed.
    let gate = Gate("source")
    private let answer: @Sendable (_ scopes: String) throws -> Credential?

    /// - Parameter answer: What the source returns for its scopes. Defaults to a token with them.
    init(_ answer: @escaping @Sendable (_ scopes: String) throws -> Credential? = { .bearer($0) }) {
        self.answer = answer
        gate.open()
    }

    var source: RefreshableCredentialSource {
        RefreshableCredentialSource(
            initial: { .bearer("read") },
            need: { CredentialNeed(in: $0) }
        ) { [self] _, context in
            let scopes = context.need.map { $0.scopes.sorted().joined(separator: "+") } ?? "-"
            asked.note(scopes)
            try await gate.pass()
            return try answer("read+\(scopes)")
        }
    }

    var interceptor: TokenInterceptor {
        TokenInterceptor(source: source, origins: ["https://api.example.com"])
    }

    let transport = ScriptedTransport<HTTP.Request> { request, _ in
        let token = request.headers["Authorization"].map { $0.dropFirst("Bearer ".count) } ?? ""
        let scopes = token.split(separator: "+").map(String.init)
        let needed = String(request.url.path.dropFirst())
        await Task.yield()
        if scopes.contains("expired") || needed == "new" && !scopes.contains("new") {
            return .lacking(401, #"error="invalid_token""#)
        }
        guard scopes.contains(needed) else {
            return .lacking(403, #"error="insufficient_scope", scope="\#(needed)""#)
        }
        return HTTP.Response(200)
    }

    var sent: [String] {
        transport.sent.map { sent in
            let token = sent.input.headers["Authorization"]?.dropFirst("Bearer ".count) ?? "none"
            return "\(sent.input.url.path) \(token)"
        }
    }
}

extension HTTP.Response {
    static func lacking(_ status: HTTP.Status, _ parameters: String) -> HTTP.Response {
        HTTP.Response(status, headers: ["WWW-Authenticate": "Bearer \(parameters)"])
    }
}

func scoped(_ scope: String) -> HTTP.URL {
    HTTP.URL(unvalidated: "https://api.example.com/\(scope)")
}
