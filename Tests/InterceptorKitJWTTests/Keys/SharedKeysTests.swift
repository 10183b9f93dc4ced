#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Synchronization
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitJWT

@Suite("SharedKeys")
struct SharedKeysTests {
    @Test("fetches once for all who come, whoever of them leaves")
    func singleFlight() async throws {
        try await onEverySeed { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .seconds(1) })
            let keys = try issuer.keySet()
            let call = Call(runtime: simulation.runtime)
            let first = Task.child(in: simulation) { try await keys.has("k0", on: call) }
            let others = (0..<20).map { number in
                Task.child(in: simulation) { try await keys.has("k\(number % 2)", on: call) }
            }
            let late = Task.child(in: simulation) {
                try await keys.has("k0", on: call.withDeadline(within: .milliseconds(500)))
            }
            try await simulation.runtime.sleep(for: .milliseconds(100))
            first.cancel()
            let cancelled = await first.result
            try requireEqual(simulation.now.offset, .milliseconds(100))
            let code = await failure(of: AuthorizationServerError.self) { try await late.value }?
                .code
            try requireEqual(simulation.now.offset, .milliseconds(500))
            var results: [Bool] = []
            for other in others { results.append(try await other.value) }

            try require(cancelled.isCancelled)
            try requireEqual(code, .timedOut)
            try requireEqual(results, (0..<20).map { $0 % 2 == 0 })
            // All came when the fetch had begun, or began it: of those without a key, one looks again.
            try require(issuer.keyRequests <= 2)
            try requireEqual(issuer.metadataRequests, 1)
        }
    }

    @Test("goes on with a fetch that all have left, and ends it with the set")
    func abandoned() async throws {
        try await onEverySeed { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .seconds(1) })
            let call = Call(runtime: simulation.runtime)
            for isKept in [true, false] {
                var keys: JSONWebKeySet? = try issuer.keySet()
                let before = issuer.keyRequests
                do {
                    let set = keys
                    let only = Task.child(in: simulation) { try await set?.has("k0", on: call) }
                    try await simulation.runtime.sleep(for: .milliseconds(100))
                    only.cancel()
                    _ = await only.result
                }
                if !isKept { keys = nil }
                try await simulation.runtime.sleep(for: .seconds(3))

                try requireEqual(issuer.keyRequests - before, isKept ? 1 : 0)
                let now = simulation.now
                if let keys { try require(try await keys.has("k0", on: call)) }
                try requireEqual(simulation.now, now)
            }
        }
    }

    @Test(
        "keeps keys for as long as the issuer says, within bounds",
        arguments: [
            ([:], 300), (["Cache-Control": "max-age=600"], 600),
            (["Cache-Control": "public, MAX-AGE=\"600\""], 600),
            (["Cache-Control": "max-age=600", "Age": "100"], 500),
            (["Cache-Control": "max-age=600, max-age=400"], 400),
            (["Cache-Control": "max-age=0"], 60), (["Cache-Control": "no-store"], 60),
            (["Cache-Control": "max-age=9999999999999999999999"], 86_400),
            (["Cache-Control": "max-age=-1"], 60), (["Cache-Control": "max-age"], 60),
            (["Cache-Control": "max-age=600", "Age": "99999999999999999999"], 60),
            (["Expires": "Thu, 01 Jan 2026 00:10:00 GMT"], 599),
            (
                [
                    "Expires": "Thu, 01 Jan 2026 01:10:00 GMT",
                    "Date": "Thu, 01 Jan 2026 01:00:00 GMT",
                ], 600
            ),
            (["Expires": "0"], 60), (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 86_400),
        ] as [(HTTP.Headers, Int)]
    )
    func lifetimes(_ headers: HTTP.Headers, _ seconds: Int) throws {
        let times = try Simulation.run { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .milliseconds(500) })
            issuer.change { $0.headers = headers }
            let keys = try issuer.keySet()
            let call = Call(runtime: simulation.runtime)
            _ = try await keys.has("k0", on: call)
            let begin = simulation.now
            let margin = min(seconds / 10, 30)
            // Just before the refresh, in time for it, and after the end of a lifetime that nobody saw coming.
            for time in [seconds - margin - 1, seconds - margin, 2 * seconds] {
                let instant = begin.advanced(by: .seconds(time))
                try await simulation.runtime.sleep(until: instant)
                let before = simulation.now
                try require(try await keys.has("k0", on: call))
                simulation.record("\(before == simulation.now)")
                try await simulation.runtime.sleep(for: .seconds(1))
                simulation.record("\(issuer.keyRequests)")
            }
            return simulation.trace.map { String($0.split(at: " ")[2]) }
        }

        // Only who finds all keys too old waits.
        expectEqual(times, ["true", "1", "true", "2", "false", "3"])
    }

    @Test("looks again if a key became known after its answer was decided")
    func rotatedMeanwhile() async throws {
        try await onEverySeed { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .seconds(1) })
            let keys = try issuer.keySet()
            let call = Call(runtime: simulation.runtime)
            let first = Task.child(in: simulation) { try await keys.has("k0", on: call) }
            try await simulation.runtime.sleep(for: .milliseconds(1500))
            issuer.change { $0.ids.append("k1") }
            let isKnown = try await keys.has("k1", on: call)

            try require(isKnown)
            try require(try await first.value)
            try requireEqual(issuer.keyRequests, 2)
        }
    }

    @Test("asks a broken issuer again after growing waits, for all callers")
    func backoff() throws {
        let times = try Simulation.run { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .zero })
            issuer.change { $0.isAway = true }
            let keys = try issuer.keySet { $0.backoff.jitter = .none }
            let call = Call(runtime: simulation.runtime)
            for _ in 0..<1000 {
                async let first = failure(of: AuthorizationServerError.self) {
                    try await keys.has("k0", on: call)
                }
                async let second = failure(of: AuthorizationServerError.self) {
                    try await keys.has("k1", on: call)
                }
                let codes = await [first?.code, second?.code]
                try requireEqual(codes, [.unreachable, .unreachable])
                try await simulation.runtime.sleep(for: .milliseconds(100))
            }
            return issuer.state.withLock { $0.metadataRequests.map(\.offset) }
        }

        expectEqual(times, [0, 1, 3, 7, 15, 31, 61, 91].map { Duration.seconds($0) })
    }

    @Test("waits as long as the issuer asks, and reads the metadata again")
    func retryAfter() throws {
        try Simulation.run { simulation in
            let json = String(decoding: set([key("a")]), as: UTF8.self)
            let metadata =
                #"{"issuer":"https://issuer.example","jwks_uri":"https://issuer.example/k"}"#
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .json(metadata), .status(429, headers: ["Retry-After": "20"]), .json(metadata),
                .json(json),
            ])
            let client = HTTP.Client(transport: transport, runtime: simulation.runtime)
            let keys = try JSONWebKeySet(issuer: TestIssuer.url, over: client)
            let call = Call(runtime: simulation.runtime)
            for time in [0, 19] {
                try await simulation.runtime.sleep(until: .init(offset: .seconds(time)))
                let error = await failure(of: AuthorizationServerError.self) {
                    try await keys.has("a", on: call)
                }
                expectEqual(error?.retryAfter, .seconds(20))
                expectEqual(transport.sent.count, 2)
            }
            try await simulation.runtime.sleep(until: .init(offset: .seconds(20)))
            expectTrue(try await keys.has("a", on: call))
        }
    }

    @Test("asks again after five minutes, however long the issuer asks to wait")
    func longRetryAfter() throws {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503, headers: ["Retry-After": "86400"]),
                .json(String(decoding: set([key("a")]), as: UTF8.self)),
            ])
            let keys = try JSONWebKeySet(
                issuer: TestIssuer.url,
                over: HTTP.Client(transport: transport, runtime: simulation.runtime),
                location: .keys(at: "https://issuer.example/k")
            )
            let call = Call(runtime: simulation.runtime)
            for time in [0, 299] {
                try await simulation.runtime.sleep(until: .init(offset: .seconds(time)))
                expectTrue((try? await keys.has("a", on: call)) == nil)
            }
            try await simulation.runtime.sleep(until: .init(offset: .seconds(300)))
            expectTrue(try await keys.has("a", on: call))
        }
    }

    @Test("goes on with old keys if new ones take half of a call's time")
    func slow() throws {
        try Simulation.run { simulation in
            let issuer = TestIssuer(simulation.runtime, delay: { .seconds(4) })
            let keys = try issuer.keySet()
            let call = Call(runtime: simulation.runtime)
            _ = try await keys.has("k0", on: call)
            try await simulation.runtime.sleep(for: .seconds(400))
            let begin = simulation.now
            let isKnown = try await keys.has("k0", on: call.withDeadline(within: .seconds(2)))

            expectTrue(isKnown)
            expectEqual(begin.duration(to: simulation.now), .seconds(1))
            try await simulation.runtime.sleep(for: .seconds(4))
        }
    }
}
#endif
