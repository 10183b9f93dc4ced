import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CookieInterceptor", .processorBound)
struct CookieInterceptorTests {
    private let login: HTTP.URL = "https://a.example/login"

    private func answering(_ fields: [String]..., status: HTTP.Status = 200)
        -> ScriptedTransport<HTTP.Request>
    {
        ScriptedTransport(
            replies: fields.map { fields in
                .status(status, headers: HTTP.Headers(fields.map { ("Set-Cookie", $0) }))
            }
        )
    }

    private func cookies(_ transport: ScriptedTransport<HTTP.Request>) -> [[String]] {
        transport.sent.map { $0.input.headers.values("Cookie") }
    }

    @Test("sends a cookie back until it expires")
    func roundTrip() throws {
        let sent = try Simulation.run { simulation in
            let transport = answering(["a=1", "b=2; Max-Age=10"], [], [])
            let client = try simulation.client(transport) { CookieInterceptor() }
            _ = try await client.send(.get(login))
            _ = try await client.send(.get(login))
            try await simulation.runtime.sleep(for: .seconds(10))
            _ = try await client.send(.get(login))
            return cookies(transport)
        }

        expectEqual(sent, [[], ["a=1; b=2"], ["a=1"]])
    }

    @Test("adds cookies to the caller's Cookie field, which wins by name")
    func callersOwn() async throws {
        let transport = answering(["a=1", "b=2", "c=3"], [], [])
        let pipeline = try Pipeline(transport: transport) { CookieInterceptor() }

        _ = try await pipeline.run(.get(login))
        _ = try await pipeline.run(.get(login, headers: ["Cookie": "b=mine; x", "cookie": "y=1"]))
        _ = try await pipeline.run(.get(login, headers: ["Cookie": "a=x; b=y; c=z"]))

        expectEqual(cookies(transport), [[], ["b=mine; x; y=1; a=1; c=3"], ["a=x; b=y; c=z"]])
    }

    @Test("takes the first 50 Set-Cookie fields of a response, and ignores others")
    func manyFields() async throws {
        let asked = Recorder<String>()
        let jar = CookieJar()
        let sink = RecordingEventSink()
        let fields = (0..<8000).map { "c\($0)=1; Domain=a.example" }
        let interceptor = CookieInterceptor(store: jar) { domain in
            asked.note(domain)
            return false
        }
        let pipeline = try Pipeline(transport: answering(fields), events: sink) { interceptor }

        _ = try await pipeline.run(.get(login))

        expectEqual(jar.cookies.map(\.name), (0..<50).map { "c\($0)" })
        expectEqual(asked.entries.count, 50)
        let received = sink.events.first { $0.name == .cookiesReceived }
        expectEqual(received?.attributes["kept"], .number(50))
        expectEqual(received?.attributes["refused"], .number(7950))
    }

    @Test("marks the Cookie field as a credential if it added to it")
    func notesField() async throws {
        let transport = answering(["a=1"], [])
        let pipeline = try Pipeline(transport: transport) { CookieInterceptor() }

        _ = try await pipeline.run(.get(login))
        _ = try await pipeline.run(.get(login))

        expectEqual(transport.sent.map(\.call.credentialFields), [[], ["Cookie"]])
    }

    @Test("leaves cookies alone if the call opts out")
    func off() async throws {
        let transport = answering(["a=1"], ["b=1"], [])
        let pipeline = try Pipeline(transport: transport) { CookieInterceptor() }

        _ = try await pipeline.run(.get(login))
        var call = Call()
        call.usesCookies = false
        _ = try await pipeline.run(.get(login), call: call)
        _ = try await pipeline.run(.get(login))

        expectEqual(cookies(transport), [[], [], ["a=1"]])
    }

    @Test("keeps cookies of every hop, and sends each host its own")
    func redirects() async throws {
        let transport = web([
            "https://a.example/1": HTTP.Response(
                302,
                headers: ["Location": "https://b.example/2", "Set-Cookie": "a=1; Path=/"]
            ),
            "https://b.example/2": HTTP.Response(
                302,
                headers: ["Location": "https://a.example/3", "Set-Cookie": "b=1; Path=/"]
            ),
        ])
        let pipeline = try Pipeline(transport: transport) {
            RedirectInterceptor()
            CookieInterceptor()
        }

        _ = try await pipeline.run(.get("https://a.example/1"))

        expectEqual(cookies(transport), [[], [], ["a=1"]])
    }

    @Test("sends no more than fits into a field that servers accept")
    func fieldLimit() async throws {
        let value = String(repeating: "v", count: 1000)
        let transport = answering((0..<12).map { "c\($0 + 10)=\(value)" }, [], [])
        let pipeline = try Pipeline(transport: transport) { CookieInterceptor() }

        _ = try await pipeline.run(.get(login))
        _ = try await pipeline.run(.get(login))
        _ = try await pipeline.run(
            .get(login, headers: ["Cookie": String(repeating: "m", count: 8190)])
        )

        let sizes = transport.sent.map { $0.input.headers["Cookie"]?.utf8.count ?? 0 }
        expectEqual(sizes, [0, 8 * 1004 + 7 * 2, 8190])
    }

    @Test("reports how many cookies were sent, kept and refused, without values")
    func events() async throws {
        let sink = RecordingEventSink()
        let transport = answering(["a=s3cret", "b=s3cret; Domain=other.example"], [])
        let pipeline = try Pipeline(transport: transport, events: sink) { CookieInterceptor() }

        _ = try await pipeline.run(.get(login))
        _ = try await pipeline.run(.get(login))

        let events = sink.events.filter { $0.name.description.hasPrefix("cookies.") }
        expectEqual(events.map(\.name), [.cookiesReceived, .cookiesAttached])
        expectEqual(events.first?.attributes, ["kept": .number(1), "refused": .number(1)])
        expectEqual(events.last?.attributes, ["count": .number(1)])
        expectTrue(!"\(sink.events)".contains("s3cret"))
    }
}
