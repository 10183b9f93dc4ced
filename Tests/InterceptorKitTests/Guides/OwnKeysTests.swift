import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Credentials that a third party carries")
struct OwnKeysTests {
    /// A source of tickets `t1`, `t2`…, each a second's wait away.
    private struct Tickets: Sendable {
        let runtime: Runtime
        let given = Recorder<String>()

        func next(for lifetime: Double) async throws -> Credential {
            try await runtime.sleep(for: .seconds(1))
            given.note("t\(given.entries.count + 1)")
            let expiry = runtime.date.addingTimeInterval(lifetime)
            return .fields("ticket", [("ticket", given.entries.last ?? "")], expiresAt: expiry)
        }
    }

    @Test("are keys that are refreshed ahead, once for all that sign")
    func keys() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let tickets = Tickets(runtime: runtime)
            let keys = LeasedKeys(
                KeyService { try await tickets.next(for: 600) },
                runtime: runtime
            )

            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<100 { group.addTask { try await keys.key(id: nil)?.id } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            let first = tickets.given.entries
            var waits = Duration.zero
            for _ in 0..<360 {
                try await runtime.sleep(for: .seconds(10))
                let start = runtime.now
                _ = try await keys.key(id: nil)
                waits += start.duration(to: runtime.now)
            }

            #expect(ids == ["ticket"])
            #expect(first == ["t1"])
            #expect(waits == .zero)
            #expect(6...8 ~= tickets.given.entries.count)
        }
    }

    @Test("are replaced once for all calls whose server rejects one")
    func rejected() throws {
        try Simulation.run { simulation in
            let tickets = Tickets(runtime: simulation.runtime)
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                let text = String(decoding: try await request.body.collect(), as: UTF8.self)
                return HTTP.Response(text == "ticket=t1" ? 440 : 200, body: .text(text))
            }
            let cache = CredentialCache(
                source: RefreshableCredentialSource { _ in try await tickets.next(for: 600) }
            )
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TicketInterceptor(tickets: cache)
            }

            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await pipeline.run(.post("https://a.test/x")).text() }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }

            #expect(texts == ["ticket=t2"])
            #expect(tickets.given.entries == ["t1", "t2"])
            #expect(transport.sent.count == 100)
        }
    }

    @Test("are none for the requests that their source sends")
    func ownRequests() throws {
        try Simulation.run { simulation in
            let pipelines = Recorder<Pipeline<HTTP.Request>>()
            let cache = CredentialCache(
                source: RefreshableCredentialSource { _ in
                    let response = try await pipelines.entries[0].run(.post("https://a.test/login"))
                    return .fields("ticket", [("ticket", try await response.text())])
                }
            )
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                let text = String(decoding: try await request.body.collect(), as: UTF8.self)
                return HTTP.Response(body: .text("\(request.url.path)?\(text)"))
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                TicketInterceptor(tickets: cache)
            }
            pipelines.note(pipeline)

            let text = try await pipeline.run(.post("https://a.test/x")).text()

            #expect(text == "/x?ticket=%2Flogin%3F")
        }
    }

    @Test("are none if their source has none, and no other than the rejected one")
    func none() async throws {
        let cache = CredentialCache(source: FixedCredentialSource(.bearer("only")))
        let empty = CredentialCache(source: RefreshableCredentialSource { _ in nil })

        let only = try await cache.credential(for: Call())
        let next = try await cache.credential(for: Call(), after: only)
        let again = try await cache.credential(for: Call())
        let nothing = try await empty.credential(for: Call())

        #expect(only?.fields.map(\.value) == ["Bearer only"])
        #expect(next == nil)
        #expect(again != nil)
        #expect(nothing == nil)
    }

    @Test("are refused with a policy that cannot work")
    func policy() {
        var policy = RefreshPolicy.standard
        policy.limit = 0

        let error = #expect(throws: SettingError.self) {
            try CredentialCache(source: FixedCredentialSource(.bearer("t")), policy: policy)
        }

        #expect(error?.setting == "RefreshPolicy.limit")
    }
}
