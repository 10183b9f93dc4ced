import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A message and its Content-Digest")
struct MessageDigestsTests {
    private let chunks = [Data("{\"hello\"".utf8), Data(": \"world".utf8), Data("\"}\n".utf8)]
    private let field = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"

    private func response(_ headers: HTTP.Headers, _ stream: Chunks) -> HTTP.Response {
        HTTP.Response(headers: headers, body: .oneShot(stream))
    }

    @Test("passes on a body that matches its digest")
    func match() async throws {
        let response = response(["Content-Digest": field], Chunks(chunks))

        let text = try await response.verifyingContent().text()

        expectEqual(text, "{\"hello\": \"world\"}\n")
    }

    @Test("ends a body that doesn't match its digest with an error", arguments: [0, 1, 2])
    func mismatch(missing: Int) async throws {
        var fewer = chunks
        fewer.remove(at: missing)
        let response = response(["Content-Digest": field], Chunks(fewer))

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await response.verifyingContent().text()
        }

        expectEqual(error?.code, .digestMismatch)
    }

    @Test("keeps the trailers of the body that it verifies")
    func trailers() async throws {
        let stream = Chunks(chunks, trailers: ["X-Sum": "1"])
        let response = try response(["Content-Digest": field], stream).verifyingContent()

        _ = try await response.text()

        expectEqual(response.trailers, ["X-Sum": "1"])
    }

    @Test("covers the body as sent, with its content coding, not as decoded")
    func coding() async throws {
        let gzipped: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9,
            0xc9, 0x07, 0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ]
        let sent = try await HTTP.Request.post(
            "https://h.example/",
            headers: ["Content-Encoding": "gzip"],
            body: .bytes(gzipped)
        )
        .addingContentDigest()
        let headers = sent.headers

        let coded = HTTP.Response(headers: headers, body: .bytes(gzipped))
        let decoded = HTTP.Response(headers: headers, body: "hello")

        try await expectEqual(coded.verifyingContent().body.collect(), Data(gzipped))
        await #expect(throws: HTTP.ContentError.self) {
            try await decoded.verifyingContent().text()
        }
    }

    @Test("refuses a response without a digest, unless it is optional")
    func missing() async throws {
        let response = HTTP.Response(body: "hello")

        let error = #expect(throws: HTTP.ContentError.self) { try response.verifyingContent() }

        expectEqual(error?.code, .missingDigest)
        try await expectEqual(response.verifyingContent(isRequired: false).text(), "hello")
    }

    @Test(
        "refuses a digest that can't be verified, unless it is optional",
        arguments: [
            ("md5=:AQI=:", HTTP.ContentError.Code.unacceptableDigest),
            ("sha-256", .malformedDigest),
        ]
    )
    func uncheckable(field: String, code: HTTP.ContentError.Code) async throws {
        let response = HTTP.Response(headers: ["Content-Digest": field], body: "hello")

        let error = #expect(throws: HTTP.ContentError.self) { try response.verifyingContent() }

        expectEqual(error?.code, code)
        try await expectEqual(response.verifyingContent(isRequired: false).text(), "hello")
    }

    @Test("leaves responses to HEAD alone")
    func head() async throws {
        let request = HTTP.Request(.head, "https://api.example.com/")
        let response = HTTP.Response(headers: ["Content-Digest": field], request: request)

        try await expectEqual(response.verifyingContent().text(), "")
    }

    @Test("finds an announced digest in the trailers")
    func trailer() async throws {
        let headers: HTTP.Headers = ["Trailer": "expires, content-digest"]
        let right = response(headers, Chunks(chunks, trailers: ["Content-Digest": field]))
        let wrong = response(headers, Chunks([], trailers: ["Content-Digest": field]))
        let none = response(headers, Chunks(chunks))
        let optional = response(headers, Chunks(chunks))

        try await expectEqual(right.verifyingContent().body.collect().count, 19)
        let mismatch = await #expect(throws: HTTP.ContentError.self) {
            try await wrong.verifyingContent().text()
        }
        expectEqual(mismatch?.code, .digestMismatch)
        let missing = await #expect(throws: HTTP.ContentError.self) {
            try await none.verifyingContent().text()
        }
        expectEqual(missing?.code, .missingDigest)
        try await expectEqual(optional.verifyingContent(isRequired: false).body.collect().count, 19)
    }

    @Test("adds a digest to a request with a replayable body")
    func request() async throws {
        let request = HTTP.Request.post("https://api.example.com/", body: .bytes(chunks.joined()))

        let digested = try await request.addingContentDigest()

        expectEqual(digested.headers["Content-Digest"], field)
    }

    @Test("refuses to digest a one-shot request body, and leaves it unread")
    func oneShot() async throws {
        let request = HTTP.Request.post(
            "https://api.example.com/",
            body: .oneShot(Chunks(chunks))
        )

        let error = await #expect(throws: HTTP.ContentError.self) {
            try await request.addingContentDigest()
        }

        expectEqual(error?.code, .oneShotBody)
        try await expectEqual(request.body.collect().count, 19)
    }
}

/// A body of given chunks and trailers.
private final class Chunks: HTTP.BodyStream {
    let trailers: HTTP.Headers?
    private let rest: Lock<ArraySlice<Data>>

    init(_ chunks: [Data], trailers: HTTP.Headers? = nil) {
        self.trailers = trailers
        rest = Lock(chunks[...])
    }

    nonisolated(nonsending) func next() async throws -> Data? { rest.withLock { $0.popFirst() } }

    func cancel() {}
}
