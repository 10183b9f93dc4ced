import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TokenInterceptor and its source's own requests")
struct TokenOwnRequestsTests {
    @Test("lets a refresh use the same client, without a token or deadlock")
    func sameClient() async throws {
        let (status, sent) = try await onEverySeed { simulation in
            let box = Recorder<HTTP.Client>()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if request.url.path == "/token" { return HTTP.Response(200, body: "fresh") }
                let isFresh = request.headers["Authorization"] == "Bearer fresh"
                return HTTP.Response(isFresh ? 200 : 401)
            }
            let source = RefreshableCredentialSource(initial: { .bearer("stale") }) { _ in
                let client = box.entries[0]
                let text = try await client.send(.post("https://api.example.com/token")).text()
                return .bearer(text)
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            box.note(client)
            let status = try await client.send(.get(orders)).status
            return (
                status,
                transport.sent.map {
                    "\($0.input.url.path) \($0.input.headers["Authorization"] ?? "-")"
                }
            )
        }

        expectEqual(status, 200)
        expectEqual(sent, ["/orders Bearer stale", "/token -", "/orders Bearer fresh"])
    }

    @Test(
        "explains how to avoid it if a refresh waits for itself",
        arguments: [CredentialUse.automatic, .none]
    )
    func waitsForItself(use: CredentialUse) async throws {
        let (result, seconds) = try await onEverySeed(0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer old" ? 401 : 200)
            }
            let client = Recorder<HTTP.Client>()
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                try await Task.stranger(in: simulation) {
                    let token = HTTP.Request.get("https://api.example.com/token")
                    _ = try await client.entries[0].send(token) { $0.credentialUse = use }
                    return Credential.bearer("new")
                }.value
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            client.note(try simulation.client(transport) { tokens })
            let result: String
            do {
                result = "\(try await client.entries[0].send(.get(orders)).status.code)"
            } catch let error as TokenError {
                result = "\(error.code): \(error.message)"
            }
            return (result, simulation.now.offset)
        }

        if use == .none {
            expectEqual(result, "200")
            expectEqual(seconds, .zero)
        } else {
            expectTrue(result.hasPrefix("refreshTimedOut"))
            expectTrue(result.contains("Task.detached"))
            expectTrue(result.contains("credentialUse = .none"))
            expectEqual(seconds, .seconds(10))
        }
    }

    @Test("lets a token endpoint send through the chain it serves, from any task")
    func endpointOfItsOwn() async throws {
        let (status, elapsed) = try await onEverySeed(0..<100) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                request.url.path == "/token"
                    ? HTTP.Response(200, body: #"{"access_token":"new"}"#)
                    : HTTP.Response(request.headers["Authorization"] == "Bearer new" ? 200 : 401)
            }
            let pipelines = Recorder<Pipeline<HTTP.Request>>()
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { rejected in
                try await Task.stranger(in: simulation) {
                    let endpoint = TokenEndpoint(
                        "https://api.example.com/token",
                        client: .public(id: "app"),
                        pipeline: pipelines.entries[0]
                    )
                    return try await ClientCredentialsSource(at: endpoint).refresh(rejected)
                }.value
            }
            let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                tokens
            }
            pipelines.note(pipeline)
            return (try await pipeline.run(.get(orders)).status, simulation.now.offset)
        }

        expectEqual(status, 200)
        expectEqual(elapsed, .zero)
    }

    @Test("ends with one error when the refresh itself is rejected")
    func refreshRejected() async throws {
        let sends = try await onEverySeed { simulation in
            let box = Recorder<HTTP.Client>()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(401) }
            let source = RefreshableCredentialSource(initial: { .bearer("stale") }) { _ in
                let response = try await box.entries[0].send(.post("https://api.example.com/token"))
                guard response.status.isSuccess else { throw Problem(text: "sign in again") }
                return nil
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            box.note(client)
            do {
                _ = try await client.send(.get(orders))
            } catch let problem as Problem {
                guard problem.text == "sign in again" else { throw problem }
            }
            return transport.sent.count
        }

        expectEqual(sends, 2)
    }
}
