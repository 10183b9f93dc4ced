import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct CassetteProblemTests {
    /// What a player of the cassette, or its first exchange, throws.
    private func failure(_ text: String) async throws -> (any Error)? {
        let file = CassetteFile()
        try file.write(text)
        do {
            let player = try RecordingTransport(replaying: file.path)
            _ = try await player.send(.get("https://a.example/"), call: Call())
            return nil
        } catch {
            return error
        }
    }

    private func error(_ text: String) async throws -> TestKitError? {
        try await failure(text) as? TestKitError
    }

    private func cassette(_ response: String, request: String = "") -> String {
        """
        {"log": {"version": "1.2", "creator": {"name": "b", "version": "1"}, "entries": [
        {"startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
        "request": {"method": "GET", "url": "https://a.example/", "headers": []\(request)},
        "response": \(response), "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
        """
    }

    private func response(_ status: Int = 200, headers: String = "", content: String = "") -> String
    {
        #"{"status": \#(status), "headers": [\#(headers)], "#
            + #""content": {"size": 1, "mimeType": ""\#(content)}}"#
    }

    @Test("a cassette that cannot be read or written is refused as such")
    func files() throws {
        let base = ScriptedTransport<HTTP.Request>(replies: [])

        let missing = #expect(throws: TestKitError.self) {
            _ = try RecordingTransport(replaying: "/no/such/cassette.har")
        }
        let unwritable = #expect(throws: TestKitError.self) {
            _ = try RecordingTransport(.record, cassette: "/dev/null/a.har", over: base)
        }
        let limit = #expect(throws: SettingError.self) {
            _ = try RecordingTransport(.record, cassette: "/a.har", over: base, bodyLimit: -1)
        }

        expectEqual(missing?.code, .unreadable)
        expectEqual(missing?.description.contains("/no/such/cassette.har"), true)
        expectEqual(unwritable?.code, .unwritable)
        expectEqual(limit?.setting, "RecordingTransport.bodyLimit")
    }

    @Test("an invalid cassette or exchange names the line or the member")
    func invalid() async throws {
        let errors = [
            try await error("{\n\"log\": \n}"),
            try await error(cassette(response(99))),
            try await error(cassette(response(headers: #"{"name": "X", "value": "a\r\nb"}"#))),
            try await error(cassette(response(content: #", "text": "!", "encoding": "base64""#))),
            try await error(
                cassette(
                    response(),
                    request: #", "postData": {"mimeType": "", "text": "!", "_encoding": "base64"}"#
                )
            ),
        ]

        expectTrue(errors.allSatisfy { $0?.code == .invalid })
        expectEqual(
            errors.compactMap { $0?.place },
            [
                "line 3, column 1", "log.entries[0].response.status",
                "log.entries[0].response.headers", "log.entries[0].response.content.text",
                "log.entries[0].request.postData.text",
            ]
        )
    }

    @Test("an exchange without a response fails, and an odd one costs no other")
    func withoutResponse() async throws {
        let failed = try await failure(
            cassette(#"{"status": 0, "_error": "reset", "content": {}}"#)
        )
        let whole = cassette(response(content: #", "text": "a""#))
        let broken = try await failure(
            whole.replacing("\"entries\": [", with: #""entries": [7, {"request": null},"#)
        )

        expectEqual((failed as? TransportError)?.code, .other)
        expectTrue(broken == nil)
    }

    @Test("a browser's HAR file replays without pseudo-header fields")
    func browsersArchive() throws {
        let file = CassetteFile()
        try file.write(
            cassette(
                response(
                    headers: #"{"name": ":status", "value": "200"}, {"name": "a", "value": "b"}"#,
                    content: #", "text": "é""#
                )
            )
        )
        let player = try RecordingTransport(replaying: file.path)

        let replayed = try Exchange.all([.get("https://a.example/#part")], over: player)

        expectEqual(replayed.map(\.headers), [["a: b"]])
        expectEqual(replayed.map(\.body), [Data("é".utf8)])
    }
}
