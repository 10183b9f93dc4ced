import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HTTP.Client.Settings.isDebugging")
struct ClientSettingsDebuggingTests {
    private static var settings: HTTP.Client.Settings {
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
        settings.appID = "shop"
        settings.appVersion = "2.1"
        settings.deviceID = "d-1"
        settings.token = "geheim-token"
        settings.secret = "geheim-secret"
        settings.headers = ["Accept": "application/json"]
        settings.isDebugging = true
        return settings
    }

    /// What is logged of a call whose response is read, each record as its lines without the call's ID.
    private func logged(
        _ request: HTTP.Request,
        _ settings: HTTP.Client.Settings = settings,
        redaction: Redaction? = nil,
        replies: [ScriptStep<HTTP.Request>]
    ) throws -> [[String]] {
        let records = Recorder<String>()
        var settings = settings
        settings.debugLog = { records.note($0) }
        try Simulation.run { [settings] simulation in
            let client = try HTTP.Client(
                settings,
                transport: ScriptedTransport<HTTP.Request>(replies: replies),
                runtime: simulation.runtime,
                redaction: redaction
            )
            _ = try? await client.send(request).body.collect()
            // Records are written off the path of the call.
            try await simulation.runtime.sleep(for: .seconds(1))
        }
        return records.entries.map { record in
            record.split(separator: "\n", omittingEmptySubsequences: false)
                .map { String($0.drop { $0 != " " }.dropFirst()) }
        }
    }

    private static let tea = HTTP.Request.post(
        "/orders",
        body: .text(#"{"tea":1,"password":"geheim"}"#)
    )

    @Test("logs the request as it is sent, the response, and both bodies' sizes")
    func sends() throws {
        let body = HTTP.Body.oneShot(CountingStream(chunks: 2))
        let reply = HTTP.Response(201, headers: ["Server": "tea"], body: body)

        let records = try logged(Self.tea, replies: [.reply(reply).delayed(by: .seconds(2))])

        let url =
            "https://api.example.com/v1/orders?app_id=██&app_version=2.1&device_id=d-1"
        try requireEqual(records.count, 4)
        expectEqual(records[0].first, "→ POST \(url)")
        expectEqual(
            Set(records[0].dropFirst()),
            [
                "Accept: application/json", "User-Agent: shop/2.1 InterceptorKit",
                "Authorization: ██", "Content-Type: text/plain; charset=utf-8", "X-Signature: ██",
                "(29 bytes)",
            ]
        )
        expectEqual(
            records[1],
            [
                "← 201 Created (2000 ms) for POST \(url)", "Server: tea",
                "(one-shot stream, unknown length)",
            ]
        )
        expectEqual(records[2], ["POST /orders → 201 Created (2000 ms)"])
        expectEqual(records[3], ["← (2048 bytes in 0 ms) for POST \(url)"])
    }

    @Test("logs each attempt, and the call's outcome once")
    func attempts() throws {
        let records = try logged(.get("/o"), replies: [.status(503), .status(200)])

        let firstLines = records.compactMap(\.first)
        expectEqual(firstLines.count { $0.hasPrefix("→ GET https://api.example.com/v1/o?") }, 2)
        expectEqual(firstLines.count { $0.hasPrefix("← 503 Service Unavailable (") }, 1)
        expectEqual(firstLines.count { $0.hasPrefix("GET /o → 200 OK (") }, 1)
        expectEqual(firstLines.count, 5)
    }

    @Test("logs bodies only on request, with secrets hidden")
    func bodies() throws {
        var detailed = Self.settings
        detailed.debugDetail = .bodies
        let replies: [ScriptStep<HTTP.Request>] = [.json(#"{"cup":"green","token":"geheim"}"#)]

        let without = try logged(Self.tea, replies: replies).joined().joined(separator: "\n")
        let with = try logged(Self.tea, detailed, replies: replies).joined()
            .joined(separator: "\n")

        expectTrue(!without.contains("tea") && !without.contains("green"))
        expectTrue(with.contains(#"{"tea":1,"password":"██"}"#))
        expectTrue(with.contains(#"{"cup":"green","token":"██"}"#))
        expectTrue(!(without + with).contains("geheim"))
    }

    @Test("logs the outcome of a call that was not sent")
    func unsent() throws {
        let request = HTTP.Request.post("/o", body: .oneShot(CountingStream(chunks: 1)))

        let records = try logged(request, replies: [])

        expectEqual(records.count, 1)
        let line = records.first?.first ?? ""
        expectTrue(line.hasPrefix("POST /o → failed: The body can be read once"), "\(line)")
    }

    @Test("hides what the client's redaction hides")
    func redacted() throws {
        var redaction = Redaction.standard
        redaction.hiddenNames.insert("device_id")

        let records = try logged(.get("/o"), redaction: redaction, replies: [.status(204)])

        expectEqual(records.first?.first?.hasSuffix("&device_id=██"), true)
    }

    @Test("logs nothing unless asked to")
    func off() throws {
        var settings = Self.settings
        settings.isDebugging = false

        try expectTrue(logged(.get("/o"), settings, replies: [.status(200)]).isEmpty)
    }
}
