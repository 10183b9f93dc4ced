import Expectations
import InterceptorKit
import InterceptorKitInspection
import TestSupport
import Testing

@testable import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("ReplayedBody")
struct ReplayedBodyTests {
    @Test(
        "breaks off after its beginning, if it has one, and stays broken",
        arguments: ["", "beginning"]
    )
    func breaks(beginning: String) async {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let body = ReplayedBody(Data(beginning.utf8), ending: .failure(lost))
        var read: [String] = []

        for _ in 0..<3 {
            do {
                read.append(
                    try await body.next().map { String(decoding: $0, as: UTF8.self) } ?? "end"
                )
            } catch {
                read.append((error as? TransportError)?.code.description ?? "another error")
            }
        }

        let lostTwice = Array(repeating: "connectionLost", count: 2)
        expectEqual(read, [beginning.isEmpty ? "connectionLost" : beginning] + lostTwice)
    }

    @Test("replays and archives the trailers that followed the content")
    func trailers() async throws {
        let file = CassetteFile()
        let fields: HTTP.Headers = ["ETag": "5", "X-Token": "s3cret"]
        let base = RecordingScript { _, _ in
            let body = ReplayedBody(Data("hello".utf8), ending: .success(fields))
            return HTTP.Response(200, body: .oneShot(body))
        }
        let request = HTTP.Request.get("https://a.example/")
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        let archive = HARRecorder(bodyLimit: 10)
        let client = try HTTP.Client(transport: recorder, timeout: nil) { archive }

        func check(_ client: HTTP.Client) async throws {
            let response = try await client.send(request)
            expectEqual(response.trailers, nil)
            try await expectEqual(response.text(), "hello")
            expectEqual(response.trailers?["ETag"], "5")
        }
        try await check(client)
        let player = try RecordingTransport(replaying: file.path)
        try await check(HTTP.Client(transport: player, timeout: nil))
        expectEqual(
            archive.archive.log.entries.first?.response.trailers?.map(\.value),
            ["5", "██"]
        )
    }
}
