import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RequestConversion")
struct RequestConversionTests {
    @Test(
        "refuses a method that Foundation would change to upper case",
        arguments: ["post", "Get", "delete"]
    )
    func foreignCapitals(method: String) throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), "https://api.example.com/")

        let error = #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }

        expectEqual(error?.code, .invalidMethod)
        expectEqual(error?.message.contains(method), true)
    }

    @Test("keeps the case of other methods", arguments: ["patch", "Report", "QUERY"])
    func ownCapitals(method: String) throws {
        let request = HTTP.Request(HTTP.Method(rawValue: method), "https://api.example.com/")

        try expectEqual(URLRequest(request).httpMethod, method)
    }

    @Test("converts method, URL, header fields, body and timeout")
    func carriesOver() throws {
        let request = HTTP.Request(
            .post,
            "http://api.example.com:81/a%2Fb+c?q=%20",
            headers: ["X-lower-CASE": "1", "content-length": "4"],
            body: "text"
        )

        let converted = try URLRequest(request, timeoutInterval: 7)

        expectEqual(converted.httpMethod, "POST")
        expectEqual(converted.url?.absoluteString, "http://api.example.com:81/a%2Fb+c?q=%20")
        expectEqual(converted.allHTTPHeaderFields, ["X-lower-CASE": "1"])
        expectEqual(converted.httpBody, Data("text".utf8))
        expectEqual(converted.timeoutInterval, 7)
    }

    @Test(
        "refuses a request that would change on the wire",
        arguments: [
            HTTP.Request.get("http://example.com", headers: ["X-A": "1\r\nX-B: 2"]),
            HTTP.Request.get("http://example.com", headers: ["X-A: 1\r\nX-B": "2"]),
            HTTP.Request.get("http://example.com", headers: ["Transfer-Encoding": "chunked"]),
            HTTP.Request("GET / HTTP/1.1\r\nX: y", "http://example.com"),
            HTTP.Request.get("http://example.com/\r\nX: y"),
            HTTP.Request.get("ftp://example.com"),
            HTTP.Request.get("/relative"),
            HTTP.Request.get("http://example.com/a/../b"),
            HTTP.Request.get("http://example.com/a/%2E%2e/b"),
            HTTP.Request.get("http://example.com/a/."),
            HTTP.Request.get("http://example.com/a?"),
        ]
    )
    func refuses(request: HTTP.Request) {
        #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }
    }

    @Test("says how to write brackets, which Foundation takes encoded only")
    func brackets() throws {
        for url in ["http://example.com/a?ids[]=1", "http://example.com/a[1]"] {
            let request = HTTP.Request.get(HTTP.URL(unvalidated: url))

            let error = #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }

            expectEqual(error?.message.contains("as %5B and %5D"), true)
        }
    }

    @Test("converts a request there and back without a change")
    func comesBack() throws {
        let request = HTTP.Request(
            .put,
            "http://example.com/x?y",
            headers: ["A": "1", "B": "2"],
            body: "text"
        )

        let back = try HTTP.Request(URLRequest(request))

        expectEqual(back.method, .put)
        expectEqual(back.url, request.url)
        expectEqual(back.headers, request.headers)
        expectEqual(back.body.inMemory, Data("text".utf8))
    }

    @Test("refuses a body that it cannot carry, and says what to do")
    func refusesStreams() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("file", Data("contents".utf8))
        for body in try bodies(of: "contents", at: path) {
            let request = HTTP.Request.put("http://example.com", body: body)

            let error = #expect(throws: HTTP.RequestError.self) { try URLRequest(request) }

            expectEqual(error?.code, .invalidBody)
            expectEqual(error?.message.contains("collectingUpTo:"), true)
        }
    }

    @Test("reads every kind of body into memory, up to the limit")
    func collects() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("file", Data("contents".utf8))
        for body in try bodies(of: "contents", at: path) + ["contents"] {
            let request = HTTP.Request.put("http://example.com", body: body)

            let converted = try await URLRequest(request, collectingUpTo: 1 << 10)

            let text = String(decoding: converted.httpBody ?? Data(), as: UTF8.self)
            expectTrue(text.contains("contents"), "\(body): \(text)")
        }
        for body in [HTTP.Body.file(path), .oneShot(stream(of: "contents"))] {
            let request = HTTP.Request.put("http://example.com", body: body)

            let error = await #expect(throws: HTTP.RequestError.self) {
                try await URLRequest(request, collectingUpTo: 7)
            }

            expectEqual(error?.code, .bodyTooLarge)
        }
    }

    @Test("refuses a body that isn't as long as it said")
    func wrongLength() async throws {
        for length in [7, 9] {
            let body = HTTP.Body.oneShot(length: length, stream(of: "contents"))

            let error = await #expect(throws: HTTP.RequestError.self) {
                try await URLRequest(.put("http://example.com", body: body), collectingUpTo: 100)
            }

            expectEqual(error?.code, .invalidBody)
        }
    }

    private func stream(of text: String) -> AsyncStream<Data> {
        AsyncStream { source in
            for byte in text.utf8 { source.yield(Data([byte])) }
            source.finish()
        }
    }

    private func bodies(of text: String, at path: String) throws -> [HTTP.Body] {
        let file = HTTP.Multipart([.file("file", at: path)])
        return [
            .file(path), .file(path, range: 0..<text.utf8.count), .oneShot(stream(of: text)),
            .replayable { [self] in stream(of: text) },
            try HTTP.Request.post("/").multipart(file).body,
        ]
    }
}
