import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private typealias HTTPScript = ScriptedTransport<HTTP.Request>

/// Sends requests one after the other and returns the statuses up to the first failure, and that.
private func statuses(
    _ transport: HTTPScript,
    _ requests: HTTP.Request...
) throws -> (codes: [Int], error: TestKitError?) {
    try Simulation.run { simulation in
        let call = Call(runtime: simulation.runtime)
        var codes: [Int] = []
        do {
            for request in requests {
                codes.append(try await transport.send(request, call: call).status.code)
            }
        } catch let error as TestKitError {
            return (codes, error)
        }
        return (codes, nil)
    }
}

@Suite struct ScriptExpectationTests {
    @Test("each request gets the replies for its method and target in any order")
    func dispatch() throws {
        let transport = HTTPScript(expecting: [
            .get("/orders/7", .status(503), .status(200)),
            .post("/orders", .status(201)),
            .get("/orders?page=2", .status(206)),
            .get("https://b.example/orders/7", .status(204)),
        ])

        let (codes, error) = try statuses(
            transport,
            .post("https://a.example/orders"),
            .get("https://a.example/orders/7?x=1"),
            .get("https://a.example/orders?page=2"),
            .get("https://a.example/orders/7"),
            .get("https://b.example/orders/7")
        )

        expectEqual(codes, [201, 503, 206, 200, 204])
        expectTrue(error == nil)
        try transport.verify()
    }

    @Test("a predicate names what it expects, and a repeating reply continues")
    func predicate() throws {
        let transport = ScriptedTransport<Int>(expecting: [
            .when("even", { $0.isMultiple(of: 2) }, .reply(2), .reply(4)).repeating(),
            .any(.reply(1)).repeating(),
        ])

        let replies = try Simulation.run { simulation in
            var replies: [Int] = []
            for input in [8, 3, 6, 4, 5] {
                let call = Call(runtime: simulation.runtime)
                replies.append(try await transport.send(input, call: call))
            }
            return replies
        }

        expectEqual(replies, [2, 1, 4, 4, 1])
    }

    @Test("an unmatched request fails with the nearest candidate's differences")
    func unmatched() throws {
        let transport = HTTPScript(expecting: [
            .delete("/customers/1", .status(204)),
            .post("/orders/17", .status(201)).header("X-Tenant", "acme").query("page", "2"),
            .get("/health", .status(200)),
        ])

        let (_, error) = try statuses(
            transport,
            .post("https://a.example/orders/71?token=s3cret")
        )

        expectEqual(error?.code, .unmatched)
        expectEqual(error?.nearest, "POST /orders/17")
        expectEqual(error?.differences.count, 3)
        expectEqual(
            error?.description,
            "Send 1, POST https://a.example/orders/71?token=██, matches "
                + "nothing in the script. Nearest is \"POST /orders/17\": the path is /orders/71, "
                + "not /orders/17; the field X-Tenant is missing; the query parameter page is "
                + "missing."
        )
    }

    @Test("differences of an unmatched request name unread bodies, but no secret")
    func unmatchedSecrets() throws {
        let expectation = ScriptExpectation<HTTP.Request>.request("PATCH", "/a", .status(200))
            .header("Authorization", "Bearer s3cret").header("Accept", "a/b")
            .query("token", "s3cret").body("s3cret")
        let transport = HTTPScript(expecting: [expectation])
        let body = HTTP.Body.oneShot(AsyncStream<Data> { $0.finish() })
        let fields: HTTP.Headers = ["Authorization": "Bearer other-s3cret", "Accept": "c/d"]

        let (_, error) = try statuses(
            transport,
            HTTP.Request("PATCH", "https://a.example/a?token=other", headers: fields, body: body)
        )

        expectEqual(
            error?.differences,
            [
                "the field Authorization has another value", "the field Accept is c/d, not a/b",
                "the query parameter token has another value",
                "the body was not read, so it cannot be compared",
            ]
        )
        expectEqual(error?.description.contains("s3cret"), false)
    }

    @Test("a request fails when its expectation has no replies left")
    func usedUp() throws {
        let transport = HTTPScript(expecting: [.get("/a", .status(200)), .get("/b", .status(200))])

        let (codes, error) = try statuses(
            transport,
            .get("https://a.example/a"),
            .get("https://a.example/a")
        )

        expectEqual(codes, [200])
        expectEqual(error?.code, .exhausted)
        expectEqual(error?.nearest, "GET /a")
        expectEqual(error?.description.contains("whose replies are used up"), true)
    }

    @Test("a conversation enforces its order and names the next request")
    func conversation() throws {
        let transport = HTTPScript(conversation: [
            .post("/login", .status(200)),
            .get("/orders", .status(200), .status(304)),
            .post("/logout", .status(204)),
        ])

        let (codes, error) = try statuses(
            transport,
            .post("https://a.example/login"),
            .get("https://a.example/orders"),
            .post("https://a.example/logout")
        )

        expectEqual(codes, [200, 200])
        expectEqual(
            error?.description,
            "Send 3, POST https://a.example/logout, is not what comes next. "
                + "Next is \"GET /orders\": the method is POST, not GET; the path is /logout, not "
                + "/orders."
        )
        expectEqual(transport.unused, ["GET /orders (1 of 2 replies used)", "POST /logout"])
    }

    @Test("a conversation may skip an optional turn and ends a repeating one")
    func optionalTurns() throws {
        let transport = HTTPScript(conversation: [
            .get("/poll", .status(202)).repeating(),
            .get("/news", .status(200)).optional(),
            .delete("/poll", .status(204)),
        ])

        let (codes, error) = try statuses(
            transport,
            .get("https://a.example/poll"),
            .get("https://a.example/poll"),
            .delete("https://a.example/poll"),
            .delete("https://a.example/poll")
        )

        expectEqual(codes, [202, 202, 204])
        expectEqual(error?.code, .exhausted)
        try transport.verify()
    }

    @Test("verify lists expected requests never sent, except optional ones")
    func verify() {
        let transport = HTTPScript(expecting: [
            .get("/a", .status(200), .status(200)), .get("/b", .status(200)).optional(),
        ])

        let error = #expect(throws: TestKitError.self) { try transport.verify() }

        expectEqual(error?.code, .unused)
        expectEqual(
            error?.description,
            "The script was not used up:\n- GET /a (0 of 2 replies used)"
        )
    }

    @Test("verify reports the unused replies of a plain script")
    func verifyReplies() throws {
        let transport = HTTPScript(replies: [.status(200), .status(200)])

        _ = try statuses(transport, .get("https://a.example/"))

        expectEqual(transport.unused, ["Reply 2 of the script"])
    }

    @Test("an expected body is compared by its bytes and never shown")
    func body() throws {
        let transport = HTTPScript(expecting: [.post("/a", .status(200)).body("abcd")])

        let (_, error) = try statuses(transport, .post("https://a.example/a", body: "abXdef"))
        let (codes, _) = try statuses(transport, .post("https://a.example/a", body: "abcd"))

        expectEqual(
            error?.differences,
            ["the body's 6 bytes differ from the 4 expected after the first 2"]
        )
        expectEqual(codes, [200])
    }

    @Test("an expectation without replies is an error that names it")
    func withoutReply() throws {
        let transport = HTTPScript(expecting: [.get("/a")])

        let (_, error) = try statuses(transport, .get("https://a.example/a"))

        expectEqual(error?.code, .exhausted)
        expectEqual(error?.nearest, "GET /a")
    }

    @Test("concurrent sends use each reply once under every seed")
    func concurrency() throws {
        try simulate(seeds: 0..<100) { simulation in
            let transport = HTTPScript(expecting: [
                .get("/a", .status(201), .status(202).delayed(by: .seconds(1)), .status(203)),
                .get("/b", .status(204), .status(205)),
            ])
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for path in ["/a", "/b", "/a", "/b", "/a"] {
                    group.addTask {
                        let request = HTTP.Request.get(
                            .init(unvalidated: "https://a.example" + path)
                        )
                        let call = Call(runtime: simulation.runtime)
                        return try await transport.send(request, call: call).status.code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            try requireEqual(codes.sorted(), [201, 202, 203, 204, 205])
            try transport.verify()
        }
    }

    @Test(
        "a request held in flight can be released, failed or cancelled",
        arguments: ["release", "fail", "cancel"]
    )
    func heldInFlight(ending: String) throws {
        let gate = Gate("orders")
        let transport = HTTPScript(expecting: [.get("/orders", .status(200).held(at: gate))])

        let (sent, held, outcome) = try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            let outcomes = Recorded<String>()
            let sender = simulation.runtime.start("sender") {
                do {
                    let request = HTTP.Request.get("https://a.example/orders")
                    outcomes.note(try await transport.send(request, call: call).status.description)
                } catch {
                    outcomes.note("\(type(of: error))")
                }
            }
            try await gate.waitForArrivals(1)
            let (sent, held) = (transport.sent.map(\.line), gate.held)
            switch ending {
            case "release": gate.release()
            case "fail": gate.fail(TransportError(.connectionLost, "It was reset."))
            default: sender.cancel()
            }
            await sender.value
            return (sent, held, outcomes.values)
        }

        expectEqual(sent, ["GET /orders"])
        expectEqual(held, 1)
        expectEqual(
            outcome,
            [
                ["release": "200 OK", "fail": "TransportError", "cancel": "CancellationError"][
                    ending
                ]
            ]
        )
        expectEqual(gate.held, 0)
    }
}
