import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitSharedState
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitEtcd

@Suite(
    "EtcdEndpoints over a real etcd",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: EtcdServer.isInstalled, "etcd is not installed (Debian: etcd-server)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct EtcdEndpointsTests {
    /// Puts, deletes and follows what is below `services/orders/`.
    private struct Registry {
        let server: EtcdServer
        let traffic = Traffic()
        let sets = EventLog<[String]>()

        init() async throws { server = try await EtcdServer() }

        func endpoints() throws -> EtcdEndpoints {
            // Shorter than a watch lasts here.
            try EtcdEndpoints(
                "services/orders/",
                of: [server.url],
                pipeline: traffic.pipeline(to: server),
                timeout: .seconds(1)
            )
        }

        func put(_ value: String, at key: String, lease: EtcdNumber? = nil) async throws {
            let (key, value) = (Data("services/\(key)".utf8), Data(value.utf8))
            let put = EtcdTransaction(success: [.put(key, value, lease: lease)])
            _ = try await server.gateway().transact(put)
        }

        func delete(_ key: String) async throws {
            let delete = EtcdTransaction(success: [.delete(Data("services/\(key)".utf8))])
            _ = try await server.gateway().transact(delete)
        }

        /// Notes sets until it is cancelled.
        func read() throws -> Task<Void, any Error> {
            let endpoints = try endpoints()
            return Task {
                for try await set in endpoints { sets.note(set.map { "\($0) \($0.weight)" }) }
            }
        }

        func wait(for set: [String]) async throws { try await sets.wait { $0.last == set } }

        func wait(forWatches count: Int) async throws {
            try await traffic.answered.wait { $0.count { $0 == "watch" } >= count }
        }
    }

    @Test("has the endpoints below a prefix, and notices those that come and go")
    func changes() async throws {
        let registry = try await Registry()
        try await registry.put("https://old.example", at: "orders-old/a")
        try await registry.put("https://a.example/v1", at: "orders/a")
        try await registry.put(#"{"url":"https://b.example","weight":2}"#, at: "orders/b")
        let reading = try registry.read()
        try await registry.wait(forWatches: 1)

        try await registry.delete("orders/a")
        try await registry.wait(forWatches: 2)
        // Neither changes the set: a key elsewhere, and a value that is no endpoint.
        try await registry.put("https://c.example", at: "orders-old/c")
        try await registry.put("elsewhere", at: "orders/c")
        try await registry.wait(forWatches: 3)
        try await registry.put("https://c.example", at: "orders/c")
        try await registry.wait(for: ["https://b.example 2.0", "https://c.example 1.0"])
        reading.cancel()

        await #expect(throws: CancellationError.self) { try await reading.value }
        expectEqual(
            registry.sets.entries,
            [
                ["https://a.example/v1 1.0", "https://b.example 2.0"],
                ["https://b.example 2.0"],
                ["https://b.example 2.0", "https://c.example 1.0"],
            ]
        )
    }

    @Test("has an empty set before the first endpoint comes")
    func empty() async throws {
        let registry = try await Registry()
        let reading = try registry.read()
        try await registry.wait(for: [])

        try await registry.put("https://a.example", at: "orders/a")

        try await registry.wait(for: ["https://a.example 1.0"])
        reading.cancel()
        expectEqual(registry.sets.entries.count, 2)
    }

    @Test("loses the endpoint of a server whose lease ends")
    func lease() async throws {
        let registry = try await Registry()
        let lease = try await registry.server.gateway().grantLease(.seconds(2))
        try await registry.put("https://a.example", at: "orders/a", lease: lease)
        try await registry.put("https://b.example", at: "orders/b")
        let reading = try registry.read()
        try await registry.wait(for: ["https://a.example 1.0", "https://b.example 1.0"])

        try await registry.wait(for: ["https://b.example 1.0"])

        reading.cancel()
        expectEqual(registry.sets.entries.count, 2)
    }

    @Test("throws when etcd stops, and the last set stays in use, with an event")
    func stopped() async throws {
        let registry = try await Registry()
        try await registry.put("https://a.example", at: "orders/a")
        let reading = try registry.read()
        let balancer = LoadBalancer([], origins: ["https://a.example"])
        let events = EventLog<Event>()
        let endpoints = try registry.endpoints()
        let following = Task {
            try await balancer.follow(endpoints, events: CallbackSink { events.note($0) })
        }
        try await registry.wait(forWatches: 2)

        registry.server.stop()

        await #expect(throws: StoreError.self) {
            try await within { try await reading.value }
        }
        // The watch that broke, and a request after it.
        try await events.wait { $0.count { $0.name == .endpointSourceFailed } >= 2 }
        expectEqual(balancer.endpoints, ["https://a.example"])
        following.cancel()
        await #expect(throws: CancellationError.self) { try await following.value }
    }
}

private struct CallbackSink: EventSink {
    let note: @Sendable (Event) -> Void

    func record(_ event: Event) { note(event) }
}
