import Expectations
import InterceptorKit
import InterceptorKitOperations
import InterceptorKitTesting
import Testing

@Suite("Operations")
struct OperationTests {
    private let start: HTTP.Request = .post("https://a.example/exports")

    private struct Outcome: Sendable {
        var response: HTTP.Response?
        var error: (any Error)?
        var sent: [String]
        var time: Duration

        var code: HTTP.OperationError.Code? { (error as? HTTP.OperationError)?.code }
    }

    /// Waits for an operation of a service with these replies, in virtual time.
    private func wait(
        for request: HTTP.Request,
        _ options: HTTP.PollingOptions = HTTP.PollingOptions(),
        state: @escaping @Sendable (HTTP.Response) async throws -> HTTP.OperationState = {
            .byStatus($0)
        },
        replies: [HTTP.Response]
    ) throws -> Outcome {
        try Simulation.run(seed: 1) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(
                replies: replies.map { reply in
                    .handler { request, _ in
                        var response = reply
                        response.request = request
                        return response
                    }
                }
            )
            let client = HTTP.Client(transport: transport, runtime: simulation.runtime)
            let began = simulation.runtime.now
            var outcome = Outcome(sent: [], time: .zero)
            do {
                outcome.response = try await client.waitForOperation(
                    request,
                    options: options,
                    state: state
                )
            } catch {
                outcome.error = error
            }
            outcome.time = began.duration(to: simulation.runtime.now)
            outcome.sent = transport.sent.map { "\($0.input.method) \($0.input.url.text)" }
            return outcome
        }
    }

    @Test("asks where 202 says, as late as it says, and fetches the result")
    func result() async throws {
        let outcome = try wait(
            for: start,
            replies: [
                HTTP.Response(202, headers: ["Location": "/exports/7", "Retry-After": "5"]),
                HTTP.Response(202, headers: ["Retry-After": "3"]),
                HTTP.Response(303, headers: ["Location": "files/7"]),
                HTTP.Response(200, body: "rows"),
            ]
        )

        try await expectEqual(outcome.response?.text(), "rows")
        expectEqual(outcome.time, .seconds(8))
        expectEqual(
            outcome.sent,
            [
                "POST https://a.example/exports", "GET https://a.example/exports/7",
                "GET https://a.example/exports/7", "GET https://a.example/exports/files/7",
            ]
        )
    }

    @Test("returns a response that is no 202 at once")
    func atOnce() async throws {
        let outcome = try wait(for: start, replies: [HTTP.Response(200, body: "rows")])

        try await expectEqual(outcome.response?.text(), "rows")
        expectEqual(outcome.time, .zero)
    }

    @Test("prefers Operation-Location, and takes over the fields that are kept")
    func fields() throws {
        var request = start
        request.headers = ["Accept": "text/csv", "Content-Language": "de"]

        let outcome = try wait(
            for: request,
            replies: [
                HTTP.Response(
                    202,
                    headers: ["Operation-Location": "/operations/1", "Location": "/exports/7"]
                ), HTTP.Response(200),
            ]
        )

        let sent = outcome.response?.request
        expectEqual(sent?.url.text, "https://a.example/operations/1")
        expectEqual(sent?.headers.map(\.name), ["Accept"])
    }

    @Test("waits longer and longer where the server names no time")
    func backoff() throws {
        var options = HTTP.PollingOptions()
        options.backoff.jitter = .none

        let outcome = try wait(
            for: start,
            options,
            replies: [
                HTTP.Response(202, headers: ["Location": "/e"]), HTTP.Response(202),
                HTTP.Response(202), HTTP.Response(200),
            ]
        )

        expectEqual(outcome.time, .milliseconds(1000 + 1500 + 2250))
    }

    @Test("asks no sooner than 100 ms after a server that names no time at all")
    func zero() throws {
        let outcome = try wait(
            for: start,
            replies: [
                HTTP.Response(202, headers: ["Location": "/e", "Retry-After": "0"]),
                HTTP.Response(200),
            ]
        )

        expectEqual(outcome.time, .milliseconds(100))
    }

    @Test("reads the state from a body")
    func body() async throws {
        let outcome = try wait(
            for: .get("https://a.example/operations/1"),
            state: { response in
                let text = try await response.text()
                return text == "running" ? .running(after: .seconds(2)) : .done
            },
            replies: [HTTP.Response(200, body: "running"), HTTP.Response(200, body: "ended")]
        )

        try await expectEqual(outcome.response?.text(), "ended")
        expectEqual(outcome.time, .seconds(2))
    }

    @Test("fails when the operation has failed, with its response")
    func failed() async throws {
        let outcome = try wait(
            for: start,
            replies: [
                HTTP.Response(202, headers: ["Location": "/e"]),
                HTTP.Response(500, body: "out of paper"),
            ]
        )

        expectEqual(outcome.code, .failed)
        let error = outcome.error as? HTTP.OperationError
        expectEqual(error.map(FailurePattern.status(500).matches), true)
        try await expectEqual(error?.response?.text(), "out of paper")
    }

    @Test(
        "says of no operation that it failed where its state is not known",
        arguments: [404, 429, 503]
    )
    func unknown(status: Int) throws {
        let accepted = HTTP.Response(202, headers: ["Location": "/e"])
        let refused = HTTP.Response(HTTP.Status(status))

        let polled = try wait(for: start, replies: [accepted, refused])
        let begun = try wait(for: start, replies: [refused])

        let messages = [polled, begun].map { ($0.error as? HTTP.OperationError)?.message }
        let reason = "The request was answered with \(refused.status)."
        expectTrue(polled.code == .failed && begun.code == .failed)
        expectTrue(messages[0]?.hasPrefix("The state of the operation could not be asked") == true)
        expectEqual(messages[1], "The operation could not be started. \(reason)")
        expectEqual((polled.error as? HTTP.OperationError)?.monitor?.text, "https://a.example/e")
    }

    @Test("gives up after the limit, and says where to go on")
    func limit() throws {
        var options = HTTP.PollingOptions()
        options.limit = .seconds(100)
        let running = HTTP.Response(202, headers: ["Location": "/e", "Retry-After": "30"])

        let outcome = try wait(
            for: start,
            options,
            replies: Array(repeating: running, count: 9)
        )

        expectEqual(outcome.code, .timedOut)
        expectEqual((outcome.error as? HTTP.OperationError)?.monitor?.text, "https://a.example/e")
        expectEqual(outcome.sent.count, 4)
    }

    @Test("refuses a 202 without a place to ask")
    func noMonitor() throws {
        let outcome = try wait(for: start, replies: [HTTP.Response(202)])

        expectEqual(outcome.code, .noMonitor)
    }

    @Test("asks no other origin")
    func otherOrigin() throws {
        let outcome = try wait(
            for: start,
            replies: [HTTP.Response(202, headers: ["Location": "https://b.example/e"])]
        )

        expectEqual(outcome.code, .otherOrigin)
        expectEqual(outcome.sent.count, 1)
    }

    @Test("asks no other origin for the state where a redirect led")
    func redirected() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(303, headers: ["Location": "https://b.example/exports/7"]),
            .handler { request, _ in
                HTTP.Response(202, headers: ["Location": "/exports/7"], request: request)
            },
        ])
        let client = try HTTP.Client(transport: transport, timeout: nil) { RedirectInterceptor() }
        var options = HTTP.PollingOptions()
        options.keptFields = ["authorization"]

        var request = start
        request.headers["Authorization"] = "Bearer secret"
        let error = await #expect(throws: HTTP.OperationError.self) {
            try await client.waitForOperation(request, options: options)
        }

        expectEqual(error?.code, .otherOrigin)
        expectEqual(transport.sent.count, 2)
    }

    @Test(
        "stays with a named monitor while the result is made",
        arguments: ["Operation-Location", "Azure-AsyncOperation"]
    )
    func namedMonitor(field: String) throws {
        let running = HTTP.Response(202, headers: ["Location": "/exports/7"])
        let outcome = try wait(
            for: start,
            replies: [
                HTTP.Response(202, headers: [field: "/operations/1"]), running, running,
                HTTP.Response(200),
            ]
        )

        expectEqual(
            outcome.sent,
            ["POST https://a.example/exports"]
                + Array(repeating: "GET https://a.example/operations/1", count: 3)
        )
    }

    @Test("takes the monitor of a 201, and one that only the body names")
    func otherMonitors() throws {
        let created = try wait(
            for: start,
            replies: [
                HTTP.Response(
                    201,
                    headers: ["Location": "/exports/7", "Operation-Location": "/operations/1"]
                ), HTTP.Response(200),
            ]
        )
        let named = try wait(
            for: start,
            state: { response in
                try await response.text() == "operations/2" ? .running(at: "operations/2") : .done
            },
            replies: [HTTP.Response(200, body: "operations/2"), HTTP.Response(200, body: "ended")]
        )

        expectEqual(created.sent.last, "GET https://a.example/operations/1")
        expectEqual(named.sent.last, "GET https://a.example/operations/2")
    }

    @Test("asks for a result again that is not there yet")
    func lateResult() async throws {
        let outcome = try wait(
            for: start,
            replies: [
                HTTP.Response(202, headers: ["Location": "/exports/7"]),
                HTTP.Response(303, headers: ["Location": "/files/7"]),
                HTTP.Response(202, headers: ["Retry-After": "3"]), HTTP.Response(200, body: "rows"),
            ]
        )

        try await expectEqual(outcome.response?.text(), "rows")
        expectEqual(
            outcome.sent.suffix(2),
            Array(repeating: "GET https://a.example/files/7", count: 2)
        )
    }

    @Test("fails when the result cannot be fetched", arguments: [404, 500, 303])
    func noResult(status: Int) throws {
        let moved = HTTP.Response(303, headers: ["Location": "/files/7"])
        let reply = status == 303 ? moved : HTTP.Response(HTTP.Status(status))
        let outcome = try wait(
            for: start,
            replies: [HTTP.Response(202, headers: ["Location": "/exports/7"]), moved]
                + Array(repeating: reply, count: 8)
        )

        expectEqual(outcome.code, .failed)
        expectEqual((outcome.error as? HTTP.OperationError)?.response?.status.code, status)
        expectTrue(outcome.sent.count <= 7, "\(outcome.sent)")
    }

    @Test("ends a wait at once when all calls are cancelled")
    func cancelAll() throws {
        let time = try Simulation.run(seed: 1) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(
                    202,
                    headers: ["Location": "/e", "Retry-After": "50"],
                    request: request
                )
            }
            let client = HTTP.Client(transport: transport, runtime: simulation.runtime)
            let wait = Task { try await client.waitForOperation(start) }
            try await simulation.runtime.sleep(for: .seconds(10))
            client.cancelAll()
            let result = await wait.result
            #expect(throws: CancellationError.self) { try result.get() }
            return simulation.runtime.now.offset
        }

        expectEqual(time, .seconds(10))
    }
}
