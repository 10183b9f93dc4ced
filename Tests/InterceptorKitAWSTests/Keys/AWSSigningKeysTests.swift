import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSigning
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitAWS

@Suite("AWSSigningKeys")
struct AWSSigningKeysTests {
    /// A container's service that gives keys `K1`, `K2`… for a time each, and can be down.
    private final class Service: Sendable {
        private let runtime: Runtime
        private let lifetime: Duration
        private let state = Lock((count: 0, isDown: false))

        init(_ runtime: Runtime, lifetime: Duration) {
            self.runtime = runtime
            self.lifetime = lifetime
        }

        var isDown: Bool {
            get { state.withLock { $0.isDown } }
            set { state.withLock { $0.isDown = newValue } }
        }

        var environment: AWSEnvironment {
            .test(transport, AWSSigningKeysTests.container, runtime: runtime)
        }

        var transport: Services {
            Services { [self] _, _ in
                try await runtime.sleep(for: .milliseconds(20))
                let (number, isDown) = state.withLock { state in
                    if !state.isDown { state.count += 1 }
                    return (state.count, state.isDown)
                }
                guard !isDown else {
                    throw TransportError(.cannotConnect, "Nobody is there.", isUnsent: true)
                }
                let expiry = runtime.date.addingTimeInterval(lifetime / .seconds(1))
                return .text(metadataAnswer("K\(number)", expiresAt: expiry))
            }
        }
    }

    private static let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"]

    @Test("makes one metadata request for 1,000 concurrent callers")
    func once() async throws {
        try await onEverySeed(0..<(seedCount / 10)) { simulation in
            let service = Service(simulation.runtime, lifetime: .seconds(3600))
            let transport = service.transport
            let environment = AWSEnvironment.test(
                transport,
                Self.container,
                runtime: simulation.runtime
            )
            let keys = try AWSSigningKeys(in: environment)

            let ids = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<1000 { group.addTask { try await keys.key(id: nil)?.id } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }

            expectEqual(ids, ["K1"])
            expectEqual(transport.lines.count, 1)
        }
    }

    @Test("refreshes keys in the background, so that nobody waits")
    func ahead() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let service = Service(runtime, lifetime: .seconds(3600))
            let keys = try AWSSigningKeys(in: service.environment)
            _ = try await keys.key(id: nil)

            var waits = Duration.zero
            var ids: Set<String> = []
            for _ in 0..<1440 {
                try await runtime.sleep(for: .seconds(60))
                let start = runtime.now
                ids.insert(try await keys.credentials().accessKeyID)
                waits += start.duration(to: runtime.now)
            }

            expectEqual(waits, .zero)
            expectTrue(24...27 ~= ids.count)
        }
    }

    @Test("fails no call whose keys are valid in an outage of an hour")
    func outage() async throws {
        try await onEverySeed(0..<(seedCount / 2)) { simulation in
            let runtime = simulation.runtime
            let service = Service(runtime, lifetime: .seconds(4000))
            let keys = try AWSSigningKeys(in: service.environment)
            let first = try await keys.credentials()

            service.isDown = true
            var failures = 0
            for _ in 0..<360 {
                try await runtime.sleep(for: .seconds(10))
                let current = try? await keys.credentials()
                if current?.accessKeyID != "K1" || current?.expiresAt != first.expiresAt {
                    failures += 1
                }
            }
            service.isDown = false
            // The last failure's pause is a minute at most.
            try await runtime.sleep(for: .seconds(400))
            _ = try await keys.credentials()
            let after = try await keys.credentials()

            expectEqual(failures, 0)
            expectEqual(after.accessKeyID, "K2")
        }
    }

    @Test(
        "sends no expired keys unless it is told to tolerate them",
        arguments: [(Duration.zero, 900), (.seconds(600), 1500)]
    )
    func expired(_ tolerance: Duration, _ end: Int) async throws {
        try await onEverySeed(0..<(seedCount / 10)) { simulation in
            let runtime = simulation.runtime
            let service = Service(runtime, lifetime: .seconds(900))
            let keys = try AWSSigningKeys(in: service.environment, expiryTolerance: tolerance)
            _ = try await keys.credentials()
            let start = runtime.now

            service.isDown = true
            var failures: [Duration] = []
            for _ in 0..<300 {
                try await runtime.sleep(for: .seconds(7))
                if (try? await keys.key(id: nil)) == nil {
                    failures.append(start.duration(to: runtime.now))
                }
            }

            expectTrue(failures.count > 50)
            expectTrue(failures.allSatisfy { $0 > .seconds(end - 1) })
            expectTrue(failures.first.map { $0 < .seconds(end + 10) } ?? false)
        }
    }

    @Test("asks an instance again soon after its service was down")
    func instanceOutage() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let isDown = Lock(false)
            let count = Lock(0)
            let services = Services { request, _ in
                guard !isDown.withLock({ $0 }) else {
                    try await runtime.sleep(for: .seconds(60))
                    return .text("")
                }
                if request.method == .put { return .text("session") }
                if request.url.path.hasSuffix("/") { return .text("role") }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let expiry = runtime.date.addingTimeInterval(1000)
                return .text(metadataAnswer("K\(number)", expiresAt: expiry))
            }
            let keys = try AWSSigningKeys(in: .test(services, runtime: runtime))
            _ = try await keys.credentials()

            isDown.withLock { $0 = true }
            for _ in 0..<90 {
                try await runtime.sleep(for: .seconds(10))
                _ = try await keys.credentials()
            }
            isDown.withLock { $0 = false }
            try await runtime.sleep(for: .seconds(101))
            let after = try await keys.credentials()

            expectEqual(after.accessKeyID, "K2")
        }
    }

    @Test("refuses keys that come expired, and says so")
    func staleAnswer() throws {
        let error = #expect(throws: TokenError.self) {
            try Simulation.run { simulation in
                let environment = AWSEnvironment.test(
                    Services { _, _ in .text(metadataAnswer("A", expiresAt: .distantPast)) },
                    Self.container,
                    runtime: simulation.runtime
                )
                _ = try await AWSSigningKeys(in: environment).key(id: nil)
            }
        }

        expectEqual(error?.code, .expired)
    }

    @Test("refreshes by the link of the chain that gave the first keys")
    func sameLink() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let isGone = Lock(false)
            let first = AWSCredentialProvider("first") { _ in
                guard !isGone.withLock({ $0 }) else {
                    throw TokenError(.notConfigured, "It is gone.")
                }
                return AWSCredentials(
                    accessKeyID: "A",
                    secretAccessKey: "a",
                    expiresAt: runtime.date.addingTimeInterval(1000)
                )
            }
            let second = AWSCredentialProvider("second") { _ in
                AWSCredentials(accessKeyID: "B", secretAccessKey: "b")
            }
            let keys = try AWSSigningKeys(
                .chain([first, second]),
                in: .test(runtime: runtime)
            )
            let before = try await keys.key(id: nil)?.id

            isGone.withLock { $0 = true }
            try await runtime.sleep(for: .seconds(1001))
            let after = try? await keys.key(id: nil)?.id

            expectEqual(before, "A")
            expectEqual(after, nil)
        }
    }

    @Test("frees a caller that is cancelled, and goes on for the others")
    func cancelled() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let slow = AWSCredentialProvider("slow") { _ in
                try await runtime.sleep(for: .seconds(5))
                return AWSCredentials(accessKeyID: "A", secretAccessKey: "a")
            }
            let keys = try AWSSigningKeys(slow, in: .test(runtime: runtime))
            let leaving = Task { try await keys.key(id: nil) }
            let staying = Task { try await keys.key(id: nil)?.id }

            try await runtime.sleep(for: .seconds(1))
            leaving.cancel()
            let left = await leaving.result
            let instant = runtime.now.offset
            let id = try await staying.value

            #expect(throws: CancellationError.self) { try left.get() }
            expectEqual(instant, .seconds(1))
            expectEqual(id, "A")
        }
    }

    @Test("has no key of another id than the current one's, and shows none")
    func otherID() async throws {
        let environment = AWSEnvironment.test(
            .absent,
            ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "hidden-secret"],
            runtime: .live
        )
        let keys = try AWSSigningKeys(in: environment)

        var dumped = "\(keys) \(environment)"
        dump(keys, to: &dumped)
        dump(environment, to: &dumped)
        let found = try await [keys.key(id: "A")?.id, keys.key(id: "B")?.id]

        expectEqual(found, ["A", nil])
        expectTrue(!dumped.contains("hidden"))
    }

    @Test("signs each request with the key of its time")
    func signing() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let service = Service(runtime, lifetime: .seconds(3600))
            let keys = try AWSSigningKeys(in: service.environment)
            let storage = Services { _, _ in .text("content") }
            let client = try HTTP.Client(transport: storage, runtime: runtime) {
                SignInterceptor(RequestSigner(.s3(region: "eu-west-1"), keys: keys))
            }

            for _ in 0..<2 {
                _ = try await client.send(.get("https://bucket.s3.eu-west-1.amazonaws.com/object"))
                try await runtime.sleep(for: .seconds(3600))
            }

            let ids = storage.requests.map { request in
                request.headers["Authorization"]?.contains("Credential=K1/") == true ? 1 : 2
            }
            expectEqual(ids, [1, 2])
            expectEqual(
                storage.requests.map { $0.headers["X-Amz-Security-Token"] },
                [
                    "token-of-K1", "token-of-K2",
                ]
            )
        }
    }
}
