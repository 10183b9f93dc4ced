import InterceptorKit
import InterceptorKitTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Redaction, wherever a secret is planted")
struct RedactionPropertyTests {
    private static let secret = "s3cr3t"

    @Test("none of 2,000 planted secrets reaches an event, a log, an archive, a command or a page")
    func planted() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<2000) { simulation in
                var plant = Plant(SeededGenerator(seed: simulation.seed), Self.secret)
                let sink = RecordingEventSink()
                let page = Timeline(runtime: simulation.runtime)
                let request = plant.request()
                let response = plant.response()
                let failure = plant.error()
                let records = Recorder<String>()
                let log = LoggingInterceptor(.bodies, runtime: simulation.runtime) {
                    records.note($0)
                }
                let recorder = HARRecorder()
                let client = try HTTP.Client(
                    transport: Planted(response: response, failure: failure),
                    runtime: simulation.runtime,
                    events: CompositeEventSink([sink, page])
                ) {
                    log
                    SignInterceptor(.hmacSHA256(keyID: "k", secret: Self.secret))
                    recorder
                }

                let answer = try? await client.send(request)
                let entry = HAR.Builder().entry(
                    request,
                    body: .bytes(plant.sentBody),
                    outcome: .response(answer ?? response, .bytes(plant.body)),
                    startedAt: simulation.runtime.date,
                    timings: HAR.Timings(wait: .zero, receive: .zero),
                    events: (sink.events, Runtime.Instant(offset: .zero))
                )

                await log.flush()
                let entries = recorder.archive.log.entries + [entry]
                let archive = try JSONEncoder().encode(HAR(entries: entries))
                let shown =
                    sink.timeline + records.entries.joined() + request.curlCommand() + page.html()
                    + String(decoding: archive, as: UTF8.self)
                try #require(!shown.contains(Self.secret), "\(request.url.text)\n\(shown)")
            }
        }
    }
}

/// Throws an error, or answers where there is none.
private struct Planted: Transport {
    let response: HTTP.Response
    let failure: (any Error)?

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        call.emit("test.sent", from: "test")
        if let failure { throw failure }
        return response
    }
}

/// Puts a secret where secrets may be.
private struct Plant {
    private var chance: SeededGenerator
    private let secret: String
    private(set) var sentBody = Data()
    private(set) var body = Data()

    init(_ chance: SeededGenerator, _ secret: String) {
        self.chance = chance
        self.secret = secret
    }

    mutating func request() -> HTTP.Request {
        var url =
            "https://" + (pick(["", "u:\(secret)@", "\(secret)@"])) + "api.example.com/orders"
        let name = pick([
            "token", "access_token", "Signature", "api%5Fkey", "client_secret", "code",
        ])
        url += pick(["", "?\(name)=\(secret)", "?a=1&\(name)=\(secret)&b=2", "#\(name)=\(secret)"])
        var request = HTTP.Request(.post, HTTP.URL(url), headers: headers())
        sentBody = content()
        request.body = .bytes(sentBody)
        request.headers["Content-Type"] = contentType
        return request
    }

    mutating func response() -> HTTP.Response {
        HTTP.Response(pick([200, 302, 401, 500]), headers: headers(), body: .bytes(content()))
    }

    mutating func error() -> (any Error)? {
        pick([
            nil, Problem(text: "GET https://u:\(secret)@h/?token=\(secret)"),
            Problem(text: "Authorization: Bearer \(secret)"), Problem(text: "Bearer \(secret)"),
            Problem(text: "password=\(secret)&x=1"),
            Problem(text: #"{"refreshToken": "\#(secret)"}"#),
            Problem(text: "Cookie: a=1; session=\(secret)"),
        ])
    }

    private var contentType = "application/json"

    private mutating func headers() -> HTTP.Headers {
        var headers: HTTP.Headers = ["Accept": "text/plain"]
        let name = pick([
            "Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Whatever", "Signature", "dpop",
        ])
        headers[name] = pick([secret, "Bearer \(secret)", "a=\(secret); b"])
        if pick([true, false]) { headers["Location"] = "https://h/?code=\(secret)" }
        return headers
    }

    private mutating func content() -> Data {
        let name = pick(["password", "accessToken", "client_secret", "session-id"])
        let text: String
        (contentType, text) = pick([
            ("application/json", #"{"a":[{"\#(name)":"\#(secret)"}],"b":1}"#),
            ("application/json", #"{"text":"{\"\#(name)\":\"\#(secret)\"}"}"#),
            ("application/x-www-form-urlencoded", "a=1&\(name)=\(secret)"),
            ("application/json", #"{"\#(name)":"\#(secret)"#),
        ])
        body = Data(text.utf8)
        return body
    }

    private mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int(chance.next() % UInt64(choices.count))]
    }
}
