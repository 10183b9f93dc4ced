#if Redis
import Expectations
import BoundedWaits
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSigning
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "RedisNonceStore, shared by replicas that are sent replays",
    .tags(.sockets, .process, .slow),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .timeLimit(.minutes(10))
)
struct ReplayTests {
    private struct Count: Sendable {
        var accepted = 0
        var replayed = 0
        var unavailable = 0

        var all: Int { accepted + replayed + unavailable }

        mutating func note(_ isAccepted: Bool) {
            if isAccepted { accepted += 1 } else { replayed += 1 }
        }

        static func += (left: inout Count, right: Count) {
            left.accepted += right.accepted
            left.replayed += right.replayed
            left.unavailable += right.unavailable
        }
    }

    @Test("accept none of 10,000 replays, also while the server restarts")
    func restarts() async throws {
        let server = try await RedisServer(keepsData: true)

        let requests = try await signedRequests(200)

        let (first, replays, restarts) = try await attack(server, with: requests, trusting: true)

        print(
            "fleet replays: \(replays.all) replays, "
                + "\(replays.accepted) accepted, \(restarts) restarts, \(replays.unavailable) refused unseen"
        )
        expectEqual(first.accepted, 200)
        expectEqual(replays.accepted, 0)
        expectEqual(replays.replayed + replays.unavailable, 10_000)
        expectTrue(restarts >= 2)
        // New clients, since the others may still wait before they connect again and have seen no server at all.
        let late = await count(requests, try replicas(server, trusting: true, waiting: .seconds(5)))
        expectEqual(late.replayed, 200)
    }

    @Test("accept none of 10,000 replays of a server that loses its data")
    func lostData() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        try await client.backdateNonces()

        let requests = try await signedRequests(200)
        let (first, replays, restarts) = try await attack(server, with: requests, trusting: false)

        expectEqual(first.accepted, 200)
        expectEqual(replays.accepted, 0)
        expectEqual(replays.replayed + replays.unavailable, 10_000)
        expectTrue(restarts >= 2)
    }

    /// Sends requests to three replicas once, and then 10,000 times again while the server restarts.
    private func attack(
        _ server: RedisServer,
        with requests: [HTTP.Request],
        trusting: Bool
    ) async throws -> (first: Count, replays: Count, restarts: Int) {
        // Short, so that what waits for the server is sent again while it is still away.
        let replicas = try replicas(server, trusting: trusting, waiting: .milliseconds(100))
        let first = await count(requests, replicas)
        let isOver = Atomic(false)
        async let restarts = restart(server, until: { isOver.load(ordering: .relaxed) })
        var replays = Count()
        while replays.all < 10_000 { replays += await count(requests, replicas) }
        isOver.store(true, ordering: .relaxed)
        return (first, replays, try await restarts)
    }

    private func restart(_ server: RedisServer, until isOver: () -> Bool) async throws -> Int {
        var restarts = 0
        while !isOver(), restarts < 100 {
            try await server.restart()
            restarts += 1
        }
        return restarts
    }

    /// Sends each request to one of the replicas, some at once.
    private func count(
        _ requests: [HTTP.Request],
        _ replicas: [Pipeline<HTTP.Request>]
    ) async -> Count {
        await withTaskGroup(of: Count.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var count = Count()
                    for (number, request) in requests.enumerated() where number % 8 == lane {
                        let replica = replicas[Int(Runtime.live.random() % 3)]
                        do {
                            let status = try await replica.run(request).status
                            count.note(status == 200)
                        } catch {
                            count.unavailable += 1
                        }
                    }
                    return count
                }
            }
            return await group.reduce(into: Count()) { $0 += $1 }
        }
    }

    private func replicas(
        _ server: RedisServer,
        trusting: Bool,
        waiting timeout: Duration
    ) throws -> [Pipeline<HTTP.Request>] {
        try (0..<3).map { _ in
            let client = try server.client { $0.timeout = timeout }
            let nonces = RedisNonceStore(client, acceptsWithoutHistory: trusting)
            return try Pipeline(transport: Handler()) {
                VerifyInterceptor(
                    .hmac(HMACScheme(), keys: FixedSigningKeys([key]), nonces: nonces)
                )
            }
        }
    }

    private func signedRequests(_ count: Int) async throws -> [HTTP.Request] {
        let sent = Lock<[HTTP.Request]>([])
        let client = try Pipeline(
            transport: Handler { request in sent.withLock { $0.append(request) } }
        ) {
            SignInterceptor(RequestSigner(HMACScheme(), key: key))
        }
        for number in 0..<count {
            _ = try await client.run(.get("https://api.example.com/orders/\(number)"))
        }
        return sent.withLock { $0 }
    }

    private var key: SigningKey {
        SigningKey(id: "app-1", secret: Array("not for production".utf8))
    }
}

/// The end of a chain.
private struct Handler: Transport {
    var received: @Sendable (HTTP.Request) -> Void = { _ in }

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        received(request)
        return HTTP.Response(200)
    }
}
#endif
