#if JWT
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport

@testable import InterceptorKitJWT

/// A service in a simulation that asks an authorization server about tokens.
struct IntrospectionWorld: Sendable {
    static let url: HTTP.URL = "https://login.example.com/introspect"

    let server: ScriptedTransport<HTTP.Request>
    let verifier: TokenIntrospection
    private let runtime: Runtime

    /// - Parameters:
    ///   - delay: The time that a response takes.
    ///   - answer: The response about a token, for which the placeholder `NOW` is the current time in seconds.
    init(
        _ simulation: Simulation,
        issuer: String? = nil,
        audience: Set<String>? = nil,
        subject: String = "sub",
        active: Duration = .seconds(60),
        capacity: Int = 10_000,
        delay: Duration = .zero,
        answer: @escaping @Sendable (_ token: String) throws -> HTTP.Response
    ) throws {
        let runtime = simulation.runtime
        self.runtime = runtime
        let server = ScriptedTransport<HTTP.Request> { request, _ in
            let form = try await HTTP.Response(body: request.body).text()
            if delay > .zero { try await runtime.sleep(for: delay) }
            let token = form.dropFirst("token=".count).prefix { $0 != "&" }
            var response = try answer(String(token))
            if let data = response.body.inMemory {
                let now = Int(runtime.date.timeIntervalSince1970)
                let text = String(decoding: data, as: UTF8.self)
                    .replacingOccurrences(of: "NOW", with: "\(now)")
                response.body = .text(text)
            }
            return response
        }
        self.server = server
        verifier = TokenIntrospection(
            at: Self.url,
            client: try HTTP.Client(transport: server, runtime: runtime) {},
            issuer: issuer,
            audience: audience,
            subject: subject,
            activeLifetime: active,
            capacity: capacity
        )
    }

    static func answer(_ json: String) -> HTTP.Response { HTTP.Response(200, body: .text(json)) }

    /// The id of the caller, or the code of the error and the status that a server responds with.
    func outcome(_ token: String = "t-1", within time: Duration? = nil) async -> String {
        var call = Call(runtime: runtime)
        if let time { call = call.withDeadline(within: time) }
        do {
            return try await verifier.verify(token, on: call).principal.id
        } catch let error as AccessTokenError {
            return "\(error.code)"
        } catch let error as AuthorizationServerError {
            return "\(error.code) \(HTTP.Response(answering: error)?.status.code ?? 500)"
        } catch {
            return "\(type(of: error))"
        }
    }

    func wait(_ time: Duration) async throws { try await runtime.sleep(for: time) }
}
#endif
