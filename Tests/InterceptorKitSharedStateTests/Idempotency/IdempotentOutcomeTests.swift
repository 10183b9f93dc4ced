import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Idempotent outcomes")
struct IdempotentOutcomeTests {
    private struct Defect: Error {}

    private let unknown = Answer(409, "outcome-unknown")

    /// The answers to one order that is sent twice.
    private func answersToTwo(
        _ policy: IdempotencyPolicy = IdempotencyPolicy(),
        handler: @escaping Replicas.Handler
    ) throws -> (answers: [Answer], runs: Int) {
        try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation, policy: policy, handler: handler)
            var answers: [Answer] = []
            for _ in 0..<2 {
                do {
                    answers.append(try await Answer(replicas.order()))
                } catch {
                    answers.append(Answer(0, "\(type(of: error))"))
                }
            }
            return (answers, replicas.runs)
        }
    }

    @Test("records failures of the handler too", arguments: [400, 404, 500, 503])
    func failures(_ status: Int) throws {
        let (answers, runs) = try answersToTwo { _, _ in HTTP.Response(HTTP.Status(status)) }

        expectEqual(answers, [Answer(status, ""), Answer(status, "", isReplayed: true)])
        expectEqual(runs, 1)
    }

    @Test("runs a request again if its response asked for that")
    func released() throws {
        let responses = [
            HTTP.Response(429), HTTP.Response(503, headers: ["Retry-After": "1"]),
        ]
        for response in responses {
            let (answers, runs) = try answersToTwo { _, _ in response }

            expectEqual(answers, Array(repeating: Answer(response.status.code, ""), count: 2))
            expectEqual(runs, 2)
        }
    }

    @Test("tells that the outcome is unknown after the handler threw an error")
    func thrown() throws {
        let (answers, runs) = try answersToTwo { _, _ in throw Defect() }

        expectEqual(answers, [Answer(0, "Defect"), unknown])
        expectEqual(runs, 1)
    }

    @Test("runs again after an error if that is the policy")
    func runsAgain() throws {
        var policy = IdempotencyPolicy()
        policy.runsAgain = true

        let (answers, runs) = try answersToTwo(policy) { _, _ in throw Defect() }

        expectEqual(answers, Array(repeating: Answer(0, "Defect"), count: 2))
        expectEqual(runs, 2)
    }

    @Test("frees the key after an error that had no effect, as the policy decides")
    func disposition() throws {
        var policy = IdempotencyPolicy()
        policy.disposition = { result in
            if case .failure(is Defect) = result { return .release }
            return IdempotencyPolicy.disposition(of: result)
        }

        let (_, runs) = try answersToTwo(policy) { _, _ in throw Defect() }

        expectEqual(runs, 2)
    }

    @Test("delivers a response that is too large to record")
    func largeResponse() throws {
        var policy = IdempotencyPolicy()
        policy.responseLimit = 4
        let bodies: [@Sendable () -> HTTP.Body] = [
            { .text("large") },
            {
                .oneShot(
                    AsyncStream { source in
                        source.yield(Data("la".utf8))
                        source.yield(Data("rge".utf8))
                        source.finish()
                    }
                )
            },
        ]

        for body in bodies {
            let (answers, runs) = try answersToTwo(policy) { _, _ in HTTP.Response(body: body()) }

            expectEqual(answers, [Answer(200, "large"), Answer(409, "response-not-kept")])
            expectEqual(runs, 1)
        }
    }

    @Test("records a response of exactly the limit")
    func limit() throws {
        var policy = IdempotencyPolicy()
        policy.responseLimit = 5

        let (answers, _) = try answersToTwo(policy) { _, _ in HTTP.Response(body: .text("large")) }

        expectEqual(answers, [Answer(200, "large"), Answer(200, "large", isReplayed: true)])
    }

    @Test("does not wait for the end of an endless response")
    func endless() throws {
        let (answers, _) = try answersToTwo { _, _ in
            HTTP.Response(headers: ["Content-Type": "text/event-stream"], body: .text("data: 1"))
        }

        expectEqual(answers, [Answer(200, "data: 1"), Answer(409, "response-not-kept")])
    }

    @Test("tells that the outcome is unknown if the response breaks off")
    func brokenResponse() throws {
        let (answers, _) = try answersToTwo { _, _ in
            HTTP.Response(
                body: .oneShot(
                    AsyncThrowingStream<Data, any Error> { source in
                        source.yield(Data("half".utf8))
                        source.finish(throwing: Defect())
                    }
                )
            )
        }

        expectEqual(answers, [Answer(0, "Defect"), unknown])
    }

    @Test("replays bytes and fields, but no cookie, date or connection field")
    func fields() throws {
        let (content, headers) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation) { _, _ in
                HTTP.Response(
                    headers: [
                        "ETag": "\"1\"", "Link": "<a>", "link": "<b>", "Set-Cookie": "s=1",
                        "Date": "Mon, 01 Jan 2024 00:00:00 GMT", "Connection": "close",
                        "Transfer-Encoding": "chunked",
                    ],
                    body: .bytes(Array(0...255))
                )
            }
            _ = try await replicas.order()
            let replayed = try await replicas.order()
            return (
                try await replayed.body.collect(),
                replayed.headers.map { "\($0.name): \($0.value)" }
            )
        }

        expectEqual(content, Data(0...255))
        expectEqual(
            headers,
            ["ETag: \"1\"", "Link: <a>", "link: <b>", "Idempotent-Replayed: true"]
        )
    }

    @Test("hands the handler a lease whose token grows when a request runs again")
    func fencing() throws {
        let tokens = Kept<Int64>()
        var policy = IdempotencyPolicy()
        policy.runsAgain = true

        _ = try answersToTwo(policy) { _, call in
            if let lease = call.idempotencyLease { tokens.add(lease.token) }
            throw Defect()
        }

        expectEqual(tokens.all.count, 2)
        expectTrue(tokens.all.first ?? .max < tokens.all.last ?? .min)
    }

    @Test("tells that the outcome is unknown when a holder has died")
    func deadHolder() throws {
        let (early, late) = try Simulation.run(seed: 1) { simulation in
            let replicas = Replicas(simulation)
            // A replica that does nothing after its claim.
            _ = try await replicas.memory.claim(
                IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: "k-1"),
                holder: "dead",
                fingerprint: Replicas.fingerprint,
                terms: IdempotencyTerms(lease: .seconds(15), lifetime: .seconds(60))
            )
            try await simulation.runtime.sleep(for: .milliseconds(14_999))
            let early = try await Answer(replicas.order())
            try await simulation.runtime.sleep(for: .milliseconds(1))
            return (early, try await Answer(replicas.order()))
        }

        expectEqual(early, Answer(409, "in-progress"))
        expectEqual(late, unknown)
    }

    private final class Kept<Value: Sendable>: Sendable {
        private let values = Lock<[Value]>([])

        var all: [Value] { values.withLock(\.self) }

        func add(_ value: Value) { values.withLock { $0.append(value) } }
    }
}
