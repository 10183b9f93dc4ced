import Expectations
import InterceptorKit
import InterceptorKitSharedState
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("IdempotencyInterceptor")
struct IdempotencyInterceptorTests {
    private let made = Answer(201, "made")
    private let replayed = Answer(201, "made", isReplayed: true)

    @Test("runs a request once and replays its response on another replica")
    func replay() throws {
        let (answers, location, runs, names) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)

            let first = try await Answer(replicas.order())
            let second = try await replicas.order()
            let location = second.headers["Location"]
            return (
                [first, try await Answer(second)], location, replicas.runs, replicas.events.names
            )
        }

        expectEqual(answers, [made, replayed])
        expectEqual(location, "/orders/1")
        expectEqual(runs, 1)
        expectTrue(names.contains(.idempotencyReplayed))
    }

    @Test("reads a key in quotes and one without as the same")
    func bareKey() throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            return [
                try await Answer(replicas.order(key: "\"7f9c-01\"")),
                try await Answer(replicas.order(key: "7f9c-01")),
            ]
        }

        expectEqual(answers, [made, replayed])
    }

    @Test("takes the key from another field")
    func field() throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.field = "webhook-id"
            let replicas = Replicas(simulation, policy: policy)
            var answers: [Answer] = []
            for _ in 0..<2 {
                var request = Replicas.request(key: nil)
                request.headers["Webhook-Id"] = "msg_1"
                answers.append(try await Answer(replicas.send(request)))
            }
            return answers
        }

        expectEqual(answers, [made, replayed])
    }

    @Test("runs a request without a key each time")
    func noKey() throws {
        let runs = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            for _ in 0..<2 { _ = try await replicas.send(Replicas.request(key: nil)) }
            return replicas.runs
        }

        expectEqual(runs, 2)
    }

    @Test("refuses a request without a key where one is required")
    func requiredKey() throws {
        let (answer, runs) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.isKeyRequired = true
            let replicas = Replicas(simulation, policy: policy)
            let answer = try await Answer(replicas.send(Replicas.request(key: nil)))
            return (answer, replicas.runs)
        }

        expectEqual(answer, Answer(400, "key-missing"))
        expectEqual(runs, 0)
    }

    @Test(
        "refuses a malformed key",
        arguments: [
            "", "\"\"", "\"a", "a b", "a,b", "a;b", "ü", String(repeating: "k", count: 256),
        ]
    )
    func malformedKey(_ key: String) throws {
        let (answer, runs) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            return (try await Answer(replicas.order(key: key)), replicas.runs)
        }

        expectEqual(answer, Answer(400, "key-malformed"))
        expectEqual(runs, 0)
    }

    @Test("refuses two keys")
    func twoKeys() throws {
        let answer = try Simulation.run(seed: 1) { simulation in
            var request = Replicas.request()
            request.headers.append(name: "Idempotency-Key", value: "\"k-2\"")
            return try await Answer(Replicas(simulation).send(request))
        }

        expectEqual(answer, Answer(400, "key-malformed"))
    }

    @Test("refuses another request under the same key")
    func mismatch() throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            var withQuery = Replicas.request()
            withQuery.url = "https://shop.example/orders?dry=1"
            var asJSON = Replicas.request()
            asJSON.headers["Content-Type"] = "application/json"
            _ = try await replicas.order()
            return [
                try await Answer(replicas.order("2 teas")),
                try await Answer(replicas.send(withQuery)),
                try await Answer(replicas.send(asJSON)),
            ]
        }

        expectEqual(answers, Array(repeating: Answer(422, "key-reused"), count: 3))
    }

    @Test("keeps the keys of principals and routes apart")
    func scope() throws {
        let answers = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            var ofBob = Replicas.request()
            ofBob.headers["X-User"] = "bob"
            var elsewhere = Replicas.request()
            elsewhere.url = "https://shop.example/refunds"
            return [
                try await Answer(replicas.order()), try await Answer(replicas.send(ofBob)),
                try await Answer(replicas.send(elsewhere)),
            ]
        }

        expectEqual(answers, [made, made, made])
    }

    @Test("leaves methods alone that are idempotent by themselves")
    func methods() throws {
        let runs = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            for _ in 0..<2 {
                var request = Replicas.request()
                request.method = .put
                _ = try await replicas.send(request)
            }
            return replicas.runs
        }

        expectEqual(runs, 2)
    }

    @Test("refuses a duplicate while the first request is in progress")
    func duplicate() throws {
        let (first, second, retryAfter, runs) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            async let first = replicas.order()
            try await simulation.runtime.sleep(for: .milliseconds(500))
            let second = try await replicas.order()
            let retryAfter = second.headers["Retry-After"]
            return (
                try await Answer(first), try await Answer(second), retryAfter, replicas.runs
            )
        }

        expectEqual(first, made)
        expectEqual(second, Answer(409, "in-progress"))
        expectEqual(retryAfter, "1")
        expectEqual(runs, 1)
    }

    @Test("lets duplicates wait for the response of the first request")
    func waiting() throws {
        let (answers, time, runs) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.longestWait = .seconds(3)
            let replicas = Replicas(simulation, policy: policy)
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<5 { group.addTask { try await Answer(replicas.order()) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            return (answers, simulation.now.offset, replicas.runs)
        }

        expectEqual(answers.count { $0 == made }, 1)
        expectEqual(answers.count { $0 == replayed }, 4)
        expectTrue(time < .milliseconds(1600))
        expectEqual(runs, 1)
    }

    @Test("ends a duplicate's wait at its bound")
    func waitBound() throws {
        let (answer, time) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.longestWait = .milliseconds(300)
            let replicas = Replicas(simulation, policy: policy)
            async let first = replicas.order()
            try await simulation.runtime.sleep(for: .milliseconds(100))
            let second = try await Answer(replicas.order())
            let time = simulation.now.offset
            _ = try await first
            return (second, time)
        }

        expectEqual(answer, Answer(409, "in-progress"))
        expectEqual(time, .milliseconds(400))
    }

    @Test("holds the key for as long as a handler runs")
    func longHandler() throws {
        let (during, after) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation) { _, call in
                try await call.runtime.sleep(for: .seconds(100))
                return HTTP.Response(201, body: .text("made"))
            }
            async let first = replicas.order()
            try await simulation.runtime.sleep(for: .seconds(99))
            let during = try await Answer(replicas.order())
            _ = try await first
            return (during, try await Answer(replicas.order()))
        }

        expectEqual(during, Answer(409, "in-progress"))
        expectEqual(after, replayed)
    }

    @Test("refuses with 429 when a principal has too many records")
    func quota() throws {
        let (answer, retryAfter, replayed) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.quota = 2
            let replicas = Replicas(simulation, policy: policy)
            for key in ["1", "2"] { _ = try await replicas.order(key: key) }
            let third = try await replicas.order(key: "3")
            let retryAfter = third.headers["Retry-After"]
            return (
                try await Answer(third), retryAfter, try await Answer(replicas.order(key: "1"))
            )
        }

        expectEqual(answer, Answer(429, "quota-exceeded"))
        // The first record ends a day after its response, which came a second after the start.
        expectEqual(retryAfter, "86399")
        expectTrue(replayed.isReplayed)
    }

    @Test("refuses a request that is larger than its limit")
    func largeRequest() throws {
        let (answer, runs) = try Simulation.run(seed: 1) { simulation in
            var policy = IdempotencyPolicy()
            policy.requestLimit = 4
            let replicas = Replicas(simulation, policy: policy)
            return (try await Answer(replicas.order("5 tea")), replicas.runs)
        }

        expectEqual(answer, Answer(413, "request-too-large"))
        expectEqual(runs, 0)
    }

    @Test("hands the handler a request whose content it can still read")
    func content() throws {
        let content = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation) { request, _ in
                HTTP.Response(body: request.body)
            }
            var request = Replicas.request()
            request.body = .oneShot(
                AsyncStream { source in
                    source.yield(Data("2 ".utf8))
                    source.yield(Data("teas".utf8))
                    source.finish()
                }
            )
            return try await Answer(replicas.send(request)).content
        }

        expectEqual(content, "2 teas")
    }

    @Test("refuses settings that cannot work")
    func settings() {
        let changes: [@Sendable (inout IdempotencyPolicy) -> Void] = [
            { $0.lease = .zero }, { $0.lifetime = .zero }, { $0.longestWait = .seconds(-1) },
            { $0.cancellationGrace = .seconds(-1) }, { $0.storeTimeout = .zero },
            { $0.storeTimeout = .seconds(8) }, { $0.quota = 0 }, { $0.requestLimit = -1 },
            { $0.responseLimit = -1 }, { $0.field = "a b" },
        ]

        for change in changes {
            var policy = IdempotencyPolicy()
            change(&policy)
            let interceptor = IdempotencyInterceptor(MemoryIdempotencyStore(), policy: policy) {
                _,
                _ in "alice"
            }

            #expect(throws: SettingError.self) { try interceptor.validate() }
        }
    }
}
