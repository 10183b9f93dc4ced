import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport on a reused connection",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct SingleSendTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("reports a lost response as possibly executed and not resent")
    func refusal() async throws {
        let server = try LoopbackServer { $0.number == 1 ? .text("first") : .reset }
        _ = try await transport.send(.get(server.url("/")), call: Call()).text()

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .post(server.url("/secret?token=s"), body: "x"),
                call: Call()
            )
        }

        expectEqual(error?.code, .connectionLost)
        expectEqual(error?.isUnsent, false)
        expectEqual(error?.message.contains("127.0.0.1:\(server.port)"), true)
        expectEqual(
            error?.message.contains("may have been executed, so it was not sent again"),
            true
        )
        expectEqual(error?.message.contains("secret"), false)
        expectTrue(error?.cause is CurlError)
        expectEqual(server.requests.count, 2)
        expectEqual(server.requests.map(\.connection), [1, 1])
    }

    @Test("executes no call twice though one in five breaks it")
    func storm() async throws {
        let rounds = cases(100, of: 500)
        let executions = Lock<[String: Int]>([:])
        let breaks = Lock(0)
        var options = LoopbackServer.Options()
        options.recordsRequests = false
        let used = Lock<Set<Int>>([])
        let server = try LoopbackServer(options: options) { request in
            let isUsed = used.withLock { !$0.insert(request.connection).inserted }
            executions.withLock { $0[request.path, default: 0] += 1 }
            guard isUsed, request.number % 5 == 0 else { return .text("done") }
            let count = breaks.withLock { count in
                count += 1
                return count
            }
            return count % 2 == 0 ? .reset : .closedBeforeReply
        }
        let methods: [HTTP.Method] = [.post, .get, .patch, .put, .delete]

        let failures = await withTaskGroup(of: Int.self) { group in
            for caller in 0..<20 {
                group.addTask { [transport] in
                    var failures = 0
                    for round in 0..<rounds {
                        let method = methods[(caller + round) % methods.count]
                        let body: HTTP.Body = method == .get ? .empty : "x"
                        let url = server.url("/\(caller)/\(round)")
                        let answer = try? await transport.send(
                            HTTP.Request(method, url, body: body),
                            call: Call()
                        ).text()
                        if answer != "done" { failures += 1 }
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }

        let counts = executions.withLock(\.self)
        let broken = breaks.withLock(\.self)
        print(
            "storm curl: \(counts.count) calls, \(broken) connections broken, \(failures) calls failed, "
                + "executed twice: \(counts.values.filter { $0 > 1 }.count)"
        )
        expectEqual(counts.count, 20 * rounds)
        expectTrue(counts.values.allSatisfy { $0 == 1 })
        expectTrue(broken > 2 * rounds)
        expectEqual(failures, broken)
    }

    @Test("leaves retries to an interceptor, which retries idempotent calls")
    func interceptorsDecide() async throws {
        let server = try LoopbackServer { request in
            request.number % 2 == 1 ? .text("done") : .closedBeforeReply
        }
        let pipeline = try Pipeline(transport: transport) { RetryInterceptor(policy: .standard) }
        let url = server.url("/order")
        let key: HTTP.Headers = ["Idempotency-Key": "k"]
        let requests = [
            HTTP.Request.get(url), .put(url, body: "x"), .post(url, headers: key, body: "x"),
            .post(url, body: "x"),
        ]

        var texts: [String?] = []
        for request in requests {
            if server.requests.count % 2 == 0 {
                _ = try await transport.send(.get(server.url("/before")), call: Call()).text()
            }
            texts.append(try? await pipeline.run(request).text())
        }

        expectEqual(texts, ["done", "done", "done", nil])
        let orders = server.requests.filter { $0.path == "/order" }.map(\.method)
        expectEqual(orders, [.get, .get, .put, .put, .post, .post, .post])
    }

    @Test("delivers a 417 and does not resend without Expect")
    func refusedExpectation() async throws {
        let heads = Lock(0)
        var options = LoopbackServer.Options()
        options.earlyReply = { request in
            heads.withLock { $0 += 1 }
            return .text("unexpected", status: 417)
        }
        let server = try LoopbackServer(options: options) { _ in .text("done") }

        let response = try await transport.send(
            .post(server.url("/"), headers: ["Expect": "100-continue"], body: "x"),
            call: Call()
        )
        let text = try await response.text()

        expectEqual(response.status, 417)
        expectEqual(text, "unexpected")
        expectEqual(heads.withLock(\.self), 1)
        expectTrue(server.requests.isEmpty)
    }
}
