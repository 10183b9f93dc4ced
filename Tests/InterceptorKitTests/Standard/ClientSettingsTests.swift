import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HTTP.Client.Settings")
struct ClientSettingsTests {
    private var full: HTTP.Client.Settings {
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
        settings.appID = "shop"
        settings.appVersion = "2.1"
        settings.deviceID = "geheim-device"
        settings.locale = "de-DE"
        settings.parameterNames.timestamp = "ts"
        settings.token = "geheim-token"
        settings.secret = "geheim-secret"
        settings.headers = ["Accept": "application/json"]
        settings.addsIdempotencyKeys = true
        settings.compressesBodies = true
        return settings
    }

    private func sent(
        _ request: HTTP.Request,
        _ settings: HTTP.Client.Settings,
        replies: [ScriptStep<HTTP.Request>] = [.status(200)]
    ) throws -> [HTTP.Request] {
        try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request>(replies: replies)
            let client = try HTTP.Client(
                settings,
                transport: transport,
                runtime: simulation.runtime
            )
            _ = try await client.send(request)
            return transport.sent.map(\.input)
        }
    }

    @Test("makes a client that completes, names, authorises, compresses and signs")
    func everything() throws {
        let body = HTTP.Body.text(String(repeating: "tea ", count: 1000))
        let sent = try sent(
            .post("/orders", body: body),
            full,
            replies: [.status(503), .status(201)]
        )
        let (first, second) = (sent[0], sent[1])

        let names = first.url.queryParameters.map(\.name)
        expectTrue(first.url.text.hasPrefix("https://api.example.com/v1/orders?app_id=shop&"))
        expectEqual(names, ["app_id", "app_version", "device_id", "locale", "ts"])
        expectEqual(first.headers["User-Agent"], "shop/2.1 InterceptorKit")
        expectEqual(first.headers["Accept"], "application/json")
        expectEqual(first.headers["Authorization"], "Bearer geheim-token")
        expectEqual(first.headers["Content-Encoding"], "gzip")
        expectTrue(first.headers.contains("X-Signature") && second.headers.contains("X-Signature"))
        expectTrue(first.headers["X-Signature"] != second.headers["X-Signature"])
        expectEqual(first.headers["Idempotency-Key"], second.headers["Idempotency-Key"])
        expectEqual(first.url, second.url)
    }

    @Test("adds nothing that isn't set, and nothing for other origins")
    func little() throws {
        let bare = try sent(.get("/o"), HTTP.Client.Settings(baseURL: "https://a.example"))[0]
        let other = try sent(.get("https://b.example/x"), full)[0]

        expectEqual(bare.url.text, "https://a.example/o")
        expectTrue(bare.headers.isEmpty)
        expectEqual(other.url.text, "https://b.example/x")
        expectTrue(!other.headers.contains("Authorization") && !other.headers.contains("Accept"))
    }

    @Test("refreshes tokens of a source")
    func credentials() throws {
        var settings = HTTP.Client.Settings(baseURL: "https://a.example")
        settings.credentials = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
            .bearer("new")
        }

        let sent = try sent(.get("/"), settings, replies: [.status(401), .status(200)])

        expectEqual(sent.map { $0.headers["Authorization"] }, ["Bearer old", "Bearer new"])
    }

    @Test("puts custom interceptors in place, and turns failures into errors")
    func ownInterceptors() throws {
        var settings = full
        settings.interceptors = [
            AnyInterceptor("stamp") { chain in
                try await chain.proceed { $0.headers["X-Stamp"] = "\(chain.call.attempt)" }
            }
        ]

        let sent = try sent(.get("/"), settings)

        expectEqual(sent[0].headers["X-Stamp"], "1")
        #expect(throws: ResponseError.self) {
            try self.sent(.get("/"), full, replies: [.status(404)])
        }
    }

    @Test("never shows a token, secret or device")
    func secrets() throws {
        var dumped = ""
        dump(full, to: &dumped)
        dump(try HTTP.Client(full, transport: Discarding()), to: &dumped)

        expectEqual(
            "\(full)",
            "HTTP.Client.Settings(https://api.example.com/v1, app shop, version 2.1, a device, "
                + "a token, a secret)"
        )
        expectTrue(!dumped.contains("geheim"))
        expectTrue(!String(reflecting: full).contains("geheim"))
    }

    @Test("is refused with an explanation if it is invalid", arguments: Mistake.all)
    func mistakes(mistake: Mistake) {
        var settings = full
        mistake.make(&settings)

        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client(settings, transport: Discarding())
        }

        expectEqual(error?.message, mistake.message)
        expectEqual(error?.message.contains("geheim"), false)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let make: @Sendable (inout HTTP.Client.Settings) -> Void

        static let all = [
            Mistake(
                testDescription: "a base URL without a host",
                message:
                    "The baseURL cannot be one. The URL \"/v1\" has no scheme and host. Give a complete "
                    + "URL, or a chain that completes it with a base URL."
            ) { $0.baseURL = "/v1" },
            Mistake(
                testDescription: "an empty id",
                message: "The deviceID is empty. Set it to nil if there is none."
            ) { $0.deviceID = "" },
            Mistake(
                testDescription: "two sources of tokens",
                message:
                    "There are both a token and credentials, and a request can carry one alone. Set one "
                    + "of them to nil."
            ) { $0.credentials = FixedCredentialSource(.bearer("b")) },
            Mistake(
                testDescription: "a secret without an id",
                message:
                    "There is a secret to sign with and no appID, by which the server knows whose it is. "
                    + "Set the appID."
            ) { $0.appID = nil },
            Mistake(
                testDescription: "one name for two parameters",
                message: "Two common parameters have one name, or one has none. Give each its own."
            ) { $0.parameterNames.locale = "app_id" },
        ]
    }
}
