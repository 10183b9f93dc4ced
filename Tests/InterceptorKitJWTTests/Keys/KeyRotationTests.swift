#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitJWT

@Suite("Keys that rotate, and issuers that are away", .tags(.slow))
struct KeyRotationTests {
    @Test("rotation each second: no valid call refused, one fetch for each")
    func rotation() async throws {
        let totals = Mutex((calls: 0, rotations: 0, fetches: 0))
        try await onEverySeed { simulation in
            let runtime = simulation.runtime
            let issuer = TestIssuer(runtime) {
                .milliseconds(20) + .milliseconds(300) * runtime.randomFraction()
            }
            let keys = try issuer.keySet()
            let rotations = 10
            let refused = try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    for number in 1...rotations {
                        try await runtime.sleep(until: .init(offset: .seconds(number)))
                        // The one before is still valid for those who have its tokens.
                        issuer.change { $0.ids = ["k\(number - 1)", "k\(number)"] }
                    }
                    return 0
                }
                for _ in 0..<1000 {
                    group.addTask {
                        var refused = 0
                        for second in 0...rotations {
                            let start =
                                Duration.seconds(second) + .seconds(1) * runtime.randomFraction()
                            try await runtime.sleep(until: .init(offset: start))
                            let id = issuer.newestID
                            let call = Call(runtime: runtime)
                            if !(try await keys.has(id, on: call)) { refused += 1 }
                        }
                        return refused
                    }
                }
                return try await group.reduce(0, +)
            }
            totals.withLock { totals in
                totals.calls += 11_000
                totals.rotations += rotations
                totals.fetches += issuer.keyRequests - 1
            }

            try requireEqual(refused, 0)
            try require(issuer.keyRequests <= 1 + rotations)
            try requireEqual(issuer.metadataRequests, 1)
        }
        let (calls, rotations, fetches) = totals.withLock { $0 }
        print("rotation: \(calls) calls, 0 refused, \(fetches) fetches for \(rotations) rotations")
    }

    @Test("1,000 forged ids a second: few fetches, and a new key is found")
    func forged() async throws {
        try await onEverySeed(0..<3) { simulation in
            let runtime = simulation.runtime
            let issuer = TestIssuer(runtime)
            let keys = try issuer.keySet()
            let (accepted, found) = try await withThrowingTaskGroup(
                of: (accepted: Int, found: Duration?).self
            ) { group in
                for _ in 0..<50 {
                    group.addTask {
                        var accepted = 0
                        while runtime.now.offset < .seconds(60) {
                            let id = String(runtime.random(), radix: 36)
                            if try await keys.has(id, on: Call(runtime: runtime)) { accepted += 1 }
                            try await runtime.sleep(
                                for: .milliseconds(100) * runtime.randomFraction()
                            )
                        }
                        return (accepted, nil)
                    }
                }
                group.addTask {
                    let rotation = Runtime.Instant(
                        offset: .seconds(20) + .seconds(20) * runtime.randomFraction()
                    )
                    try await runtime.sleep(until: rotation)
                    issuer.change { $0.ids.append("new") }
                    let call = Call(runtime: runtime)
                    while !(try await keys.has("new", on: call)) {
                        try require(try await keys.has("k0", on: call))
                        try await runtime.sleep(for: .milliseconds(100))
                    }
                    return (0, rotation.duration(to: runtime.now))
                }
                return try await group.reduce((0, Duration?.none)) {
                    ($0.0 + $1.accepted, $1.found ?? $0.1)
                }
            }
            print(
                "forged: \(issuer.keyRequests) fetches in 60 s, a new key after \(found ?? .zero)"
            )

            try requireEqual(accepted, 0)
            // The first, a burst of 3, and one each 10 s.
            try require(issuer.keyRequests <= 1 + 3 + 6)
            try require(try unwrap(found) <= .seconds(10.2))
        }
    }

    @Test("a new key right after a forged id is found with its first token")
    func rotationAfterForgery() async throws {
        try await onEverySeed { simulation in
            let issuer = TestIssuer(simulation.runtime)
            let keys = try issuer.keySet()
            let call = Call(runtime: simulation.runtime)
            let isForgedKnown = try await keys.has("forged", on: call)
            issuer.change { $0.ids = ["k1"] }

            try require(!isForgedKnown)
            try require(try await keys.has("k1", on: call))
        }
    }

    @Test("a new key is found with its first token also if neither has an id")
    func rotationWithoutIDs() async throws {
        let (old, new) = (BearerWorld(), BearerWorld())
        let fetches = Counter()
        let transport = ScriptedTransport<HTTP.Request> { _, _ in
            fetches.add()
            let set = String(decoding: (fetches.count == 1 ? old : new).keySet, as: UTF8.self)
            let content = set.replacingOccurrences(of: #""kid":"k1","#, with: "")
            return HTTP.Response(200, body: .bytes(Data(content.utf8)))
        }
        let keys = try JSONWebKeySet(
            issuer: BearerWorld.issuer,
            over: HTTP.Client(transport: transport),
            location: .keys(at: "https://login.example.com/keys")
        )
        let verifier = JSONWebTokenVerifier(
            issuer: BearerWorld.issuer,
            audience: [BearerWorld.audience],
            keys: keys
        )
        let call = Call(runtime: old.runtime)
        _ = try await verifier.verify(old.token(header: ["kid": ""]), on: call)
        _ = try await verifier.verify(new.token(header: ["kid": ""]), on: call)
        for _ in 0..<20 {
            let error = await failure(of: AccessTokenError.self) {
                try await verifier.verify(old.token(header: ["kid": ""]), on: call)
            }
            expectEqual(error?.code, .mismatch)
        }

        #expect(fetches.count <= 1 + 3)
    }

    @Test("an issuer away for an hour refuses nobody with a known key")
    func away() async throws {
        try await onEverySeed(0..<5) { simulation in
            let runtime = simulation.runtime
            let issuer = TestIssuer(runtime)
            let keys = try issuer.keySet()
            let call = Call(runtime: runtime)
            try require(try await keys.has("k0", on: call))
            issuer.change { $0.isAway = true }
            let asked = issuer.metadataRequests + issuer.keyRequests
            var longest = Duration.zero
            while runtime.now.offset < .seconds(3600) {
                let before = runtime.now
                try require(try await keys.has("k0", on: call))
                longest = max(longest, before.duration(to: runtime.now))
                let error = await failure(of: AuthorizationServerError.self) {
                    try await keys.has("other", on: call)
                }
                // Before the first failure is known, nobody can tell that the issuer is away.
                try require(error?.code == .unreachable)
                try await runtime.sleep(for: .seconds(1))
            }
            let tries = issuer.metadataRequests + issuer.keyRequests - asked
            issuer.change { $0 = TestIssuer.State(ids: ["k0", "k1"]) }
            while (try? await keys.has("k1", on: call)) != true {
                try require(runtime.now.offset < .seconds(3640))
                try await runtime.sleep(for: .seconds(1))
            }
            print("away: \(tries) tries in an hour, longest wait \(longest)")

            try require(tries <= 3600 / 15 + 10)
            try require(longest < .seconds(1))
        }
    }

    @Test("keys that nobody confirms end with the time that you allow")
    func end() throws {
        try Simulation.run { simulation in
            let runtime = simulation.runtime
            let issuer = TestIssuer(runtime)
            let keys = try issuer.keySet { $0.staleFor = .seconds(100) }
            let call = Call(runtime: runtime)
            _ = try await keys.has("k0", on: call)
            let begin = runtime.now
            issuer.change { $0.isAway = true }
            for (time, isUsable) in [(299, true), (399, true), (400, false), (500, false)] {
                try await runtime.sleep(until: begin.advanced(by: .seconds(time)))
                let isKnown = try? await keys.has("k0", on: call)
                expectEqual(isKnown, isUsable ? true : nil)
            }
        }
    }
}
#endif
