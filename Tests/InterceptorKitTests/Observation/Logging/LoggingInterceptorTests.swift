import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("LoggingInterceptor")
struct LoggingInterceptorTests {
    /// What is logged of one request, without the call's id.
    private static func logged(
        _ detail: LoggingInterceptor.Detail,
        _ request: HTTP.Request,
        bodyLimit: Int = LoggingInterceptor.defaultBodyLimit,
        read: Bool = true,
        _ answer: @escaping @Sendable () throws -> HTTP.Response
    ) async throws -> [String] {
        let records = Recorder<String>()
        try await onEverySeed(0..<1) { simulation in
            let log = LoggingInterceptor(
                detail,
                bodyLimit: bodyLimit,
                runtime: simulation.runtime
            ) { records.note($0) }
            let client = try HTTP.Client(
                transport: CannedTransport(answer),
                timeout: nil,
                runtime: simulation.runtime
            ) { log }
            do {
                let response = try await client.send(request)
                if read { for try await _ in response.body {} }
            } catch {}
            await log.flush()
        }
        return records.entries.map { record in
            record.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: "\n")
        }
    }

    private static let order = HTTP.Request(
        .post,
        "https://api.example.com/orders?token=abc",
        headers: ["Authorization": "Bearer abc", "Content-Type": "application/json"],
        body: .bytes(Data(#"{"n":1,"password":"abc"}"#.utf8))
    )

    @Test("writes one line for each request, with its outcome")
    func lines() async throws {
        let answered = try await Self.logged(.line, Self.order) {
            HTTP.Response(201, body: .bytes(Data("ok".utf8)))
        }
        let failed = try await Self.logged(.line, Self.order) {
            throw TransportError(.connectionLost, "Bearer abc123 was refused.")
        }
        let cancelled = try await Self.logged(.line, Self.order) { throw CancellationError() }

        let request = "POST https://api.example.com/orders?token=██ → "
        expectEqual(answered, [request + "201 Created (0 ms, 2 bytes)"])
        expectEqual(failed.count, 1)
        expectTrue(failed[0].hasPrefix(request + "failed: "))
        expectTrue(failed[0].contains("Bearer ██ was refused."))
        expectEqual(cancelled, [request + "cancelled (0 ms)"])
    }

    @Test("writes blocks with fields and bodies, with secrets hidden")
    func blocks() async throws {
        let records = try await Self.logged(.bodies, Self.order) {
            HTTP.Response(
                200,
                headers: ["Set-Cookie": "session=abc", "Content-Type": "text/plain"],
                body: .oneShot(length: 6, CountedChunks(["hel", "lo\n"]))
            )
        }

        expectEqual(
            records,
            [
                """
                → POST https://api.example.com/orders?token=██
                Authorization: ██
                Content-Type: application/json

                {"n":1,"password":"██"}
                """,
                """
                ← 200 OK (0 ms) for POST https://api.example.com/orders?token=██
                Set-Cookie: ██
                Content-Type: text/plain

                hello

                (6 bytes in 0 ms)
                """,
            ]
        )
    }

    @Test("describes a request's streamed body, and leaves it unread")
    func stream() async throws {
        let stream = CountingStream(chunks: 9)
        let request = HTTP.Request.post(orders, body: .oneShot(length: 9216, stream))

        let records = try await Self.logged(.bodies, request) { HTTP.Response(204) }

        expectEqual(records.first?.hasSuffix("(one-shot stream, 9216 bytes)"), true)
        expectEqual(stream.read, 0)
    }

    @Test("gives the sizes of bodies with the fields, and leaves streams unread")
    func fields() async throws {
        let stream = CountingStream(chunks: 9)

        let records = try await Self.logged(.fields, .get(orders), read: false) {
            HTTP.Response(200, headers: ["ETag": "x"], body: .oneShot(stream))
        }

        expectEqual(
            records,
            [
                "→ GET https://api.example.com/orders",
                """
                ← 200 OK (0 ms) for GET https://api.example.com/orders
                ETag: x
                (one-shot stream, unknown length)
                """,
                "← (not read further than 0 bytes in 0 ms) for GET https://api.example.com/orders",
            ]
        )
        expectEqual(stream.read, 0)
    }

    @Test("gives a size that is known beforehand with the response's fields")
    func knownSizes() async throws {
        let records = try await Self.logged(.fields, Self.order) {
            HTTP.Response(200, body: .oneShot(length: 2048, CountingStream(chunks: 2)))
        }

        expectEqual(records.count, 2)
        expectEqual(records.first?.hasSuffix("\n(24 bytes)"), true)
        expectEqual(records.last?.hasSuffix("\n(one-shot stream, 2048 bytes)"), true)
    }

    @Test("hides by the call's own redaction unless given another")
    func redactions() async throws {
        let records = Recorder<String>()
        let log = LoggingInterceptor(.fields) { records.note($0) }
        let strict = LoggingInterceptor(.fields, redaction: Redaction(shownFields: [])) {
            records.note($0)
        }
        var redaction = Redaction.standard
        redaction.shownFields.insert("x-tenant")
        for interceptor in [log, strict] {
            let client = try HTTP.Client(
                transport: CannedTransport(204),
                timeout: nil,
                redaction: redaction
            ) {
                interceptor
            }
            _ = try await client.send(HTTP.Request(.get, orders, headers: ["X-Tenant": "north"]))
            await interceptor.flush()
        }

        try requireEqual(records.entries.count, 4)
        expectTrue(records.entries[0].hasSuffix("X-Tenant: north"))
        expectTrue(records.entries[2].hasSuffix("X-Tenant: ██"))
    }

    @Test("keeps no more of a gigabyte than its limit, without reading ahead")
    func streamed() async throws {
        let records = try await Self.logged(.bodies, .get(orders), bodyLimit: 10) {
            HTTP.Response(200, body: .oneShot(CountingStream(chunks: 1024, of: 1 << 20)))
        }

        expectEqual(
            records.last,
            """
            ← 200 OK (0 ms) for GET https://api.example.com/orders

            aaaaaaaaaa
            (and 1073741814 bytes more)
            (1073741824 bytes in 0 ms)
            """
        )
    }

    @Test("says when a body was interrupted or not read")
    func endings() async throws {
        let unread = try await Self.logged(.bodies, .get(orders), read: false) {
            HTTP.Response(200, body: .oneShot(CountingStream(chunks: 1)))
        }
        let broken = try await Self.logged(.bodies, .get(orders)) {
            HTTP.Response(200, body: .oneShot(CountedChunks(["ab"], failing: true)))
        }

        expectEqual(unread.last?.hasSuffix("(not read further than 0 bytes in 0 ms)"), true)
        expectEqual(broken.last?.contains("(broke off after 2 bytes in 0 ms: "), true)
    }

    @Test("names the attempt of each record, and writes failures at once")
    func attempts() async throws {
        let records = Recorder<String>()
        try await onEverySeed(0..<1) { simulation in
            let log = LoggingInterceptor(.bodies, runtime: simulation.runtime) { records.note($0) }
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                throw TransportError(.connectionLost, "It broke.")
            }
            let client = try simulation.client(transport) {
                RetryInterceptor(policy: .steady)
                log
            }
            _ = try? await client.send(.get(orders))
            await log.flush()
        }

        let prefixes = records.entries.map { $0.prefix { $0 != " " }.dropFirst(5) }
        expectEqual(prefixes, ["]", "]", "#2]", "#2]", "#3]", "#3]"])
        expectEqual(records.entries.count { $0.contains("← failed: ") }, 3)
    }

    @Test("isn't affected by an output that throws or never returns")
    func outputs() async throws {
        let gate = Gate()
        let failing = LoggingInterceptor { _ in throw Problem() }
        let stuck = LoggingInterceptor { _ in try await gate.pass() }
        let client = try HTTP.Client(transport: CannedTransport(200), timeout: nil) {
            failing
            stuck
        }

        try await expectEqual(client.send(.get(orders)).status, 200)
        // Those taken for delivery are counted beside those that wait.
        try await gate.waitForArrivals(1)
        for _ in 0..<2000 { try await expectEqual(client.send(.get(orders)).status, 200) }
        await failing.flush()

        expectEqual(failing.failures + failing.missed, 2001)
        expectTrue(stuck.missed > 900)
        gate.open()
        await stuck.flush()
    }

    @Test("passes on each record of concurrent calls whole")
    func concurrent() async throws {
        let records = Recorder<String>()
        let log = LoggingInterceptor(.bodies) { records.note($0) }
        let client = try HTTP.Client(
            transport: CannedTransport(200, body: { .bytes(Data("a\nb".utf8)) }),
            timeout: nil
        ) {
            log
        }

        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { _ = try await client.send(Self.order).body.collect() }
            }
            try await group.waitForAll()
        }
        await log.flush()

        expectEqual(records.entries.count, 200)
        for record in records.entries {
            let calls = Set(record.split(separator: "\n").map { $0.prefix(6) })
            expectEqual(calls.count, 1)
        }
    }
}

/// A body in pieces.
private final class CountedChunks: HTTP.BodyStream {
    private let rest: Lock<[String]>
    private let failing: Bool

    init(_ chunks: [String], failing: Bool = false) {
        rest = Lock(chunks)
        self.failing = failing
    }

    func next() async throws -> Data? {
        let chunk = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if chunk == nil, failing { throw TransportError(.connectionLost, "It broke.") }
        return chunk.map { Data($0.utf8) }
    }

    func cancel() {}
}
