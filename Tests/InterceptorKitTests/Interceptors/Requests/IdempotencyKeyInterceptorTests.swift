import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("IdempotencyKeyInterceptor")
struct IdempotencyKeyInterceptorTests {
    private func keys(
        _ request: HTTP.Request,
        _ interceptor: IdempotencyKeyInterceptor = IdempotencyKeyInterceptor(),
        configure: @escaping @Sendable (inout Call) -> Void = { _ in }
    ) throws -> [String] {
        try shaped(request, configure: configure) { interceptor }.headers.values("Idempotency-Key")
    }

    @Test("gives POST and PATCH a quoted random UUID, and other methods none")
    func methods() throws {
        let uuid = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/

        let post = try keys(.post(orders))
        let patch = try keys(.patch(orders))

        expectTrue(post.count == 1 && post[0].wholeMatch(of: uuid) != nil)
        expectTrue(patch.count == 1 && patch[0].wholeMatch(of: uuid) != nil)
        try expectEqual(keys(.get(orders)), [])
        try expectEqual(keys(.put(orders)), [])
        try expectEqual(keys(.put(orders), IdempotencyKeyInterceptor(for: [.put])).count, 1)
    }

    @Test("keeps one key for all attempts and redirects of a call")
    func attempts() async throws {
        try await onEverySeed(0..<50) { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .reply(.redirect(307, to: "/moved")), .status(409), .status(201),
                .status(201),
            ])
            let client = try simulation.client(transport) {
                IdempotencyKeyInterceptor()
                RedirectInterceptor()
                RetryInterceptor(policy: .steady)
            }
            let response = try await client.send(.post(orders, body: "tea"))
            _ = try await client.send(.post(orders, body: "tea"))
            try requireEqual(response.status, 201)
            let keys = transport.sent.map { $0.input.headers["Idempotency-Key"] ?? "none" }
            try requireEqual(keys.count, 5)
            try requireEqual(Set(keys.prefix(4)).count, 1)
            try requireEqual(Set(keys).count, 2)
        }
    }

    @Test("keeps an existing key, and skips calls that opt out")
    func existing() throws {
        let own = try keys(.post(orders, headers: ["idempotency-key": "mine"]))
        let off = try keys(.post(orders)) { $0.addsIdempotencyKey = false }

        expectEqual(own, ["mine"])
        expectEqual(off, [])
    }

    @Test("uses the key that a call names, whatever the method")
    func named() throws {
        let post = try keys(.post(orders)) { $0.idempotencyKey = #"order "7" \ "# }
        let put = try keys(.put(orders)) { $0.idempotencyKey = "order-7" }

        expectEqual(post, [#""order \"7\" \\ ""#])
        expectEqual(put, [#""order-7""#])
    }

    @Test("writes the key without quotes if told to")
    func bare() throws {
        let made = try keys(.post(orders), IdempotencyKeyInterceptor(form: .bare) { _, _ in "k1" })

        expectEqual(made, ["k1"])
        #expect(throws: HTTP.RequestError.self) {
            try keys(.post(orders), IdempotencyKeyInterceptor(form: .bare) { _, _ in "k 1" })
        }
    }

    @Test(
        "refuses an invalid key",
        arguments: ["", "a\r\nb", "a\0", "schlüssel", "\t", "\u{7F}"],
        [IdempotencyKeyInterceptor.Form.string, .bare]
    )
    func invalid(key: String, form: IdempotencyKeyInterceptor.Form) throws {
        let error = #expect(throws: HTTP.RequestError.self) {
            try keys(.post(orders), IdempotencyKeyInterceptor(form: form) { _, _ in key })
        }

        expectEqual(error?.code, .invalidField)
    }
}
