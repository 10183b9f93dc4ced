import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

/// Steps up while other things happen, and within limits.
@Suite("TokenInterceptor, stepping up beside other refreshes")
struct StepUpLimitsTests {
    @Test("gives an error only to those with the need, and delays no refresh")
    func failure() async throws {
        let (failed, sent) = try await onEverySeed { simulation in
            let service = ScopedService { scopes in
                guard scopes == "read+-" else { throw Problem(text: scopes) }
                return .bearer("read+new")
            }
            let client = try simulation.client(service.transport) { service.interceptor }
            var failed: [String] = []
            do {
                _ = try await client.send(.get(scoped("write")))
            } catch let error as Problem {
                failed.append(error.text)
            }
            _ = try await client.send(.get(scoped("new")))
            return (failed, service.sent)
        }

        expectEqual(failed, ["read+write"])
        expectEqual(sent, ["/write read", "/new read", "/new read+new"])
    }

    @Test("refreshes a rejected credential after a need that failed, or with it")
    func rejectedMeanwhile() async throws {
        for answer in [nil, "read+write"] {
            let (status, asked) = try await onEverySeed { simulation in
                let service = ScopedService { scopes in
                    scopes == "read+-" ? .bearer(scopes) : answer.map { .bearer($0) }
                }
                let cache = CredentialCache(source: service.source)
                try await cache.signIn(with: .bearer("expired"))
                let client = try simulation.client(service.transport) {
                    TokenInterceptor(cache: cache, origins: ["https://api.example.com"])
                }
                service.gate.close()
                let stepUp = Task.child(in: simulation) {
                    try await cache.credential(
                        for: Call(runtime: simulation.runtime),
                        after: .bearer("expired"),
                        rejectedBy: .lacking(403, #"error="insufficient_scope", scope="write""#)
                    )?.token
                }
                try await service.gate.waitForArrivals(1)
                let rejected = Task.child(in: simulation) {
                    try await client.send(.get(scoped("read"))).status
                }
                try await simulation.runtime.sleep(for: .seconds(1))
                service.gate.open()
                try requireEqual(try await stepUp.value, answer)
                return (try await rejected.value, service.asked.entries)
            }

            expectEqual(status, 200)
            expectEqual(asked, answer == nil ? ["write", "-"] : ["write"])
        }
    }

    @Test("asks ten times a minute and twice a request, whatever a server needs")
    func limits() async throws {
        let (sends, asked, later, longest) = try await onEverySeed(0..<10) { simulation in
            let needs = Recorder<String>()
            let number = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                number.note(1)
                return .lacking(
                    403,
                    #"error="insufficient_scope", scope="s\#(number.entries.count)""#
                )
            }
            let source = RefreshableCredentialSource(
                initial: { .bearer("t") },
                need: { CredentialNeed(in: $0) }
            ) { _, context in
                needs.note(context.need.map { "\($0.scopes.count)" } ?? "-")
                return .bearer("t\(needs.entries.count)")
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            _ = try await client.send(.get(orders))
            let sends = transport.sent.count
            for _ in 0..<100 {
                try requireEqual(try await client.send(.get(orders)).status, 403)
            }
            let asked = needs.entries.count
            try await simulation.runtime.sleep(for: .seconds(61))
            for _ in 0..<600 {
                _ = try await client.send(.get(orders))
                try await simulation.runtime.sleep(for: .seconds(6))
            }
            let longest = needs.entries.compactMap { Int($0) }.max() ?? 0
            return (sends, asked, needs.entries.count > asked, longest)
        }

        expectEqual(sends, 3)
        expectEqual(asked, 10)
        expectTrue(later)
        expectTrue(longest <= 64, "\(longest)")
    }

    @Test("asks again if another process's credential lacks the scope as well")
    func anotherProcess() async throws {
        let (sent, asked) = try await onEverySeed { simulation in
            let isFirst = Recorder<Bool>()
            let service = ScopedService { scopes in
                guard isFirst.entries.isEmpty else { return .bearer(scopes) }
                isFirst.note(true)
                var other = Credential.bearer("read+theirs")
                other.isFromAnotherProcess = true
                return other
            }
            let client = try simulation.client(service.transport) { service.interceptor }
            _ = try await client.send(.get(scoped("write")))
            return (service.sent, service.asked.entries)
        }

        expectEqual(sent, ["/write read", "/write read+theirs", "/write read+write"])
        expectEqual(asked, ["write", "write"])
    }

    @Test("returns the rejection after a sign-out, and sends with a sign-in")
    func session() async throws {
        for credential in [nil, Credential.bearer("write")] {
            let (status, sent) = try await onEverySeed { simulation in
                let service = ScopedService()
                service.gate.close()
                let tokens = service.interceptor
                let client = try simulation.client(service.transport) { tokens }
                let waiting = Task.child(in: simulation) {
                    try await client.send(.get(scoped("write"))).status
                }
                try await service.gate.waitForArrivals(1)
                if let credential {
                    try await tokens.signIn(with: credential)
                } else {
                    try await tokens.signOut()
                }
                let status = try await waiting.value
                service.gate.open()
                return (status, service.sent)
            }

            expectEqual(status, credential == nil ? 403 : 200)
            expectEqual(sent, ["/write read"] + (credential == nil ? [] : ["/write write"]))
        }
    }
}
