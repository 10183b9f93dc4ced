import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Credentials by what a response said (RFC 6750 section 3.1, RFC 9470).
@Suite("TokenInterceptor, stepping up")
struct StepUpTests {
    @Test("brings the scope that a request lacks, and sends it once more")
    func scope() async throws {
        let (statuses, sent, asked) = try await onEverySeed { simulation in
            let service = ScopedService()
            let client = try simulation.client(service.transport) { service.interceptor }
            var statuses: [HTTP.Status] = []
            for path in ["read", "write", "write", "read"] {
                statuses.append(try await client.send(.get(scoped(path))).status)
            }
            return (statuses, service.sent, service.asked.entries)
        }

        expectEqual(statuses, [200, 200, 200, 200])
        expectEqual(
            sent,
            [
                "/read read", "/write read", "/write read+write", "/write read+write",
                "/read read+write",
            ]
        )
        expectEqual(asked, ["write"])
    }

    @Test("leaves what is not its need, and all of a plain source's, as it was")
    func others() async throws {
        let rows: [(status: HTTP.Status, challenge: String, plain: Int, reading: Int)] = [
            (403, #"Bearer error="insufficient_scope", scope="a""#, 0, 1),
            (401, #"Bearer error="insufficient_scope", scope="a""#, 0, 1),
            (401, #"Bearer error="insufficient_user_authentication", max_age="5""#, 0, 1),
            (401, #"DPoP error="use_dpop_nonce""#, 0, 1),
            // Microsoft's claims challenge was a reason to refresh before.
            (401, #"Bearer error="insufficient_claims", claims="e30=""#, 1, 1),
            (401, #"Bearer error="invalid_token""#, 1, 1), (401, "Bearer", 1, 1),
            (401, #"Basic realm="a""#, 1, 1), (403, "Bearer", 0, 0), (403, "", 0, 0),
            (400, #"Bearer error="insufficient_scope""#, 0, 0), (500, "", 0, 0),
        ]
        for row in rows {
            for isReading in [false, true] {
                let asked = Recorder<Int>()
                let transport = ScriptedTransport<HTTP.Request> { _, _ in
                    HTTP.Response(row.status, headers: ["WWW-Authenticate": row.challenge])
                }
                let source = RefreshableCredentialSource(
                    initial: { .bearer("old") },
                    need: { isReading ? CredentialNeed(in: $0) : nil }
                ) { _, _ in
                    asked.note(1)
                    return nil
                }
                let client = try HTTP.Client(
                    transport: transport,
                    runtime: .virtual(clock: VirtualClock())
                ) {
                    TokenInterceptor(source: source, origins: ["https://api.example.com"])
                }

                let status = try await client.send(.get(orders)).status

                expectEqual(status, row.status)
                expectEqual(
                    asked.entries.count,
                    isReading ? row.reading : row.plain,
                    "\(row.challenge)"
                )
                expectEqual(transport.sent.count, 1)
            }
        }
    }

    @Test("shares a refresh between equal needs, and none between others")
    func sharing() async throws {
        try await onEverySeed(0..<100) { simulation in
            let service = ScopedService()
            let client = try simulation.client(service.transport) { service.interceptor }
            let statuses = try await withThrowingTaskGroup(of: HTTP.Status.self) { group in
                for number in 0..<20 {
                    let path = ["a", "b", "read"][number % 3]
                    group.addTask { try await client.send(.get(scoped(path))).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            try require(statuses.allSatisfy { $0 == 200 })
            // The second need is joined with the first, so that none undoes the other.
            try require([["a", "a+b"], ["b", "a+b"]].contains(service.asked.entries))
        }
    }

    @Test("holds up no call that the credential is good enough for")
    func unaffected() async throws {
        let sent = try await onEverySeed { simulation in
            let service = ScopedService()
            service.gate.close()
            let client = try simulation.client(service.transport) { service.interceptor }
            let waiting = Task.child(in: simulation) {
                try await client.send(.get(scoped("write")))
            }
            try await service.gate.waitForArrivals(1)
            _ = try await client.send(.get(scoped("read")))
            service.gate.open()
            _ = try await waiting.value
            return service.sent
        }

        expectEqual(sent, ["/write read", "/read read", "/write read+write"])
    }

    @Test("returns the rejection if the source brings nothing, or not enough")
    func nothing() async throws {
        for token in [nil, "read+other"] {
            let (status, sent) = try await onEverySeed { simulation in
                let service = ScopedService { _ in token.map { .bearer($0) } }
                let client = try simulation.client(service.transport) { service.interceptor }
                let status = try await client.send(.get(scoped("write"))).status
                return (status, service.sent)
            }

            expectEqual(status, 403)
            expectEqual(sent, ["/write read"] + (token.map { ["/write \($0)"] } ?? []))
        }
    }

    @Test("refreshes an expired token, then brings the scope, for one request")
    func expiredAndNarrow() async throws {
        let sent = try await onEverySeed { simulation in
            let service = ScopedService()
            let tokens = service.interceptor
            let client = try simulation.client(service.transport) { tokens }
            try await tokens.signIn(with: .bearer("expired"))
            _ = try await client.send(.get(scoped("write")))
            return service.sent
        }

        expectEqual(sent, ["/write expired", "/write read+-", "/write read+write"])
    }

    @Test("doesn't send a one-shot body again, but has the scope for the next")
    func oneShot() async throws {
        let (statuses, sent) = try await onEverySeed { simulation in
            let service = ScopedService()
            let client = try simulation.client(service.transport) { service.interceptor }
            var statuses: [HTTP.Status] = []
            for _ in 0..<2 {
                let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
                statuses.append(
                    try await client.send(.post(scoped("write"), body: body)).status
                )
                try await simulation.runtime.sleep(for: .seconds(1))
            }
            return (statuses, service.sent)
        }

        expectEqual(statuses, [403, 200])
        expectEqual(sent, ["/write read", "/write read+write"])
    }

    /// As OkHttp's `Authenticator` gets the response, its challenges and its request.
    @Test("shows the source the rejection, its challenge and the call")
    func context() async throws {
        let seen = Recorder<String>()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            guard request.headers["Authorization"] == nil else { return HTTP.Response(200) }
            let challenge = #"Basic realm="protected area", charset="UTF-8""#
            return HTTP.Response(
                401,
                headers: ["WWW-Authenticate": challenge],
                body: "secret",
                request: request
            )
        }
        let source = RefreshableCredentialSource { rejected, context in
            let challenge = context.response?.headers.challenges().first
            seen.note(context.response?.status.description ?? "")
            seen.note(challenge?.realm ?? "")
            seen.note(context.response?.request?.url.path ?? "")
            seen.note("\(context.response?.body.isEmpty ?? false)")
            seen.note(context.call.credentialName ?? "")
            return .basic(user: "u", password: "p")
        }
        let client = try HTTP.Client(transport: transport, runtime: .virtual(clock: VirtualClock()))
        {
            TokenInterceptor("area", source: source, origins: ["https://api.example.com"])
        }

        let status = try await client.send(.get(orders)) { $0.credentialName = "area" }.status

        expectEqual(status, 200)
        expectEqual(
            seen.entries,
            ["401 Unauthorized", "protected area", orders.path, "true", "area"]
        )
    }

    @Test("takes needs of a source's own, such as a realm, from any status")
    func ownNeed() async throws {
        let (sent, asked) = try await onEverySeed { simulation in
            let asked = Recorder<String>()
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                request.headers["Authorization"] == "Bearer \(request.url.path)"
                    ? HTTP.Response(200)
                    : HTTP.Response(
                        404,
                        headers: ["WWW-Authenticate": "Basic realm=\(request.url.path.dropFirst())"]
                    )
            }
            let source = RefreshableCredentialSource(
                initial: { .bearer("t") },
                need: { response in
                    let realm = response.headers.challenges().first?.realm
                    return realm.map { CredentialNeed(.init("realm-\($0)")) }
                }
            ) { _, context in
                asked.note(context.need?.description ?? "-")
                return context.need.map { .bearer("/\($0.reason.description.dropFirst(6))") }
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            for path in ["a", "b"] { _ = try await client.send(.get(scoped(path))) }
            return (transport.sent.map { $0.input.headers["Authorization"] }, asked.entries)
        }

        expectEqual(sent, ["Bearer t", "Bearer /a", "Bearer /a", "Bearer /b"])
        expectEqual(asked, ["realm-a", "realm-b"])
    }

    @Test("states in the event why a credential was not enough")
    func events() async throws {
        let sink = RecordingEventSink()
        let service = ScopedService()
        let client = try HTTP.Client(
            transport: service.transport,
            runtime: .virtual(clock: VirtualClock()),
            events: sink
        ) { service.interceptor }

        _ = try await client.send(.get(scoped("write")))

        let reasons = sink.events.filter { $0.name == .credentialRejected }.map {
            $0.attributes["reason"]
        }
        expectEqual(reasons, [.text("insufficient_scope")])
    }
}
