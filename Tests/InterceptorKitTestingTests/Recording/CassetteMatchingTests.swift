import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CassetteMatching")
struct CassetteMatchingTests {
    @Test("an unmatched request fails with the nearest candidate")
    func unmatched() throws {
        let file = CassetteFile()
        let base = RecordingScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/health"), get("/orders/17?token=a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = #expect(throws: TestKitError.self) {
            try Simulation.run { simulation in
                let request = get("/orders/71?token=b")
                _ = try await player.send(request, call: Call(runtime: simulation.runtime))
            }
        }

        expectEqual(error?.code, .unmatched)
        expectEqual(error?.nearest, "GET https://a.example/orders/17?token=██")
        expectEqual(error?.place, "log.entries[1]")
        expectEqual(
            error?.differences,
            [
                "the URL is https://a.example/orders/71?token=██, not "
                    + "https://a.example/orders/17?token=██"
            ]
        )
        expectEqual(player.unused.count, 2)
        #expect(throws: TestKitError.self) { try player.verify() }
    }

    @Test("matches requests by body and header fields when asked to")
    func matching() throws {
        let file = CassetteFile()
        let url: HTTP.URL = "https://a.example/orders"
        let requests: [HTTP.Request] = [
            .post(url, headers: ["Accept": "a"], body: "1"),
            .post(url, headers: ["Accept": "b"], body: "1"),
            .post(url, headers: ["Accept": "b"], body: "2"),
        ]
        let base = RecordingScript(replies: [.status(201), .status(202), .status(203)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all(requests, over: recorder)
        let strict = CassetteMatching(comparesBody: true, comparedFields: ["accept"])
        let player = try RecordingTransport(replaying: file.path, matching: strict)

        let replayed = try Exchange.all(requests.reversed(), over: player)
        let other = try Exchange.all(
            [.post(url, headers: ["Accept": "a"], body: "3")],
            over: player
        )

        expectEqual(replayed.map(\.status), [203, 202, 201])
        expectEqual(other.first?.error?.contains("the body's 1 bytes differ"), true)
    }
}
