import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import InterceptorKitTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Conversions to and from other types")
struct LostPartsTests {
    private static let content = Data("content".utf8)

    private static var streamed: HTTP.Request {
        let stream = AsyncStream<Data> {
            $0.yield(content)
            $0.finish()
        }
        return .post("https://a.example/", body: .oneShot(stream))
    }

    /// A way, and the content on its other side; one that throws has said that it loses it.
    private static let ways: [(name: String, convert: @Sendable () async throws -> Data?)] = [
        ("URLRequest of a stream", { try URLRequest(streamed).httpBody }),
        (
            "URLRequest that collects",
            { try await URLRequest(streamed, collectingUpTo: 7).httpBody }
        ),
        (
            "URLRequest that collects less",
            { try await URLRequest(streamed, collectingUpTo: 6).httpBody }
        ),
        (
            "URLRequest of a form with a file",
            {
                let form = HTTP.Multipart([.file("f", at: "/nowhere")])
                return try URLRequest(HTTP.Request.post("https://a.example/").multipart(form))
                    .httpBody
            }
        ),
        (
            "HTTP.Request of a URLRequest with a stream",
            {
                var request = URLRequest(url: try unwrap(URL(string: "https://a.example/")))
                request.httpMethod = "POST"
                request.httpBodyStream = InputStream(data: content)
                return try await HTTP.Request(request).body.collect()
            }
        ),
        (
            "HAR of content",
            {
                let request = HTTP.Request.post("https://a.example/", body: .bytes(content))
                let entry = HAR.Builder().request(request, body: .bytes(content))
                return try entry.restored().body.inMemory
            }
        ),
        (
            "HAR of a stream",
            {
                let entry = HAR.Builder().request(streamed, body: .unread("a stream"))
                return try entry.restored().body.inMemory
            }
        ),
        (
            "cassette of a long response",
            {
                let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
                    .path
                defer { try? FileManager.default.removeItem(atPath: path) }
                let base = ScriptedTransport<HTTP.Request> { _, _ in
                    HTTP.Response(200, body: .bytes(content))
                }
                let recorder = try RecordingTransport(
                    .record,
                    cassette: path,
                    over: base,
                    bodyLimit: 6
                )
                _ = try await recorder.send(.get("https://a.example/"), call: Call())
                return try await RecordingTransport(replaying: path)
                    .send(.get("https://a.example/"), call: Call()).body.inMemory
            }
        ),
        (
            "curl command of a stream",
            { streamed.curlCommand().contains("# without its body") ? content : nil }
        ),
    ]

    @Test("lose no part in silence")
    func losses() async {
        var lost: [String] = []
        for way in Self.ways {
            do {
                if try await way.convert() != Self.content { lost.append(way.name) }
            } catch {}
        }

        expectEqual(lost, [])
        print("conversions: \(Self.ways.count) ways, \(lost.count) lose a part in silence")
    }
}
