import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("DefaultHeadersInterceptor")
struct DefaultHeadersInterceptorTests {
    private let own = HTTP.Request.get(
        orders,
        headers: ["X-A": "own", "x-b": "own 1", "X-B": "own 2"]
    )

    @Test(
        "merges with existing fields by its rule",
        arguments: [
            (HTTP.MergeRule.keepExisting, ["own"], ["own 1", "own 2"], ["new 1", "new 2"]),
            (.replaceExisting, ["new"], ["new"], ["new 1", "new 2"]),
            (.addToExisting, ["own", "new"], ["own 1", "own 2", "new"], ["new 1", "new 2"]),
        ]
    )
    func rules(rule: HTTP.MergeRule, a: [String], b: [String], c: [String]) throws {
        let request = try shaped(own) {
            DefaultHeadersInterceptor(
                ["x-a": "new", "X-B": "new", "X-C": "new 1", "x-c": "new 2"],
                merging: rule
            )
        }

        expectEqual(request.headers.values("X-A"), a)
        expectEqual(request.headers.values("X-B"), b)
        expectEqual(request.headers.values("X-C"), c)
    }

    @Test("evaluates its closure once a call, whatever the number of attempts")
    func evaluation() throws {
        let (values, count) = try Simulation.run { simulation in
            let counted = Recorder<Int>()
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(503), .status(200), .status(200),
            ])
            let client = try simulation.client(transport) {
                DefaultHeadersInterceptor { call in
                    counted.note(1)
                    return ["X-Number": "\(counted.entries.count)", "X-Attempt": "\(call.attempt)"]
                }
                RetryInterceptor(policy: .steady)
            }
            _ = try await client.send(.get(orders))
            _ = try await client.send(.get(orders))
            return (transport.sent.map { $0.input.headers["X-Number"] }, counted.entries.count)
        }

        expectEqual(values, ["1", "1", "2"])
        expectEqual(count, 2)
    }

    @Test("adds to the listed origins only")
    func origins() throws {
        let interceptor = DefaultHeadersInterceptor(
            ["X-Tenant": "acme"],
            origins: ["https://api.example.com"]
        )

        let here = try shaped(.get(orders)) { interceptor }
        let there = try shaped(.get("https://api.example.com.evil.example/")) { interceptor }

        expectEqual(here.headers["X-Tenant"], "acme")
        expectTrue(there.headers.isEmpty)
    }

    @Test("skips a call that opts out")
    func callSwitch() throws {
        let request = try shaped(.get(orders), configure: { $0.addsDefaultHeaders = false }) {
            DefaultHeadersInterceptor(["X-Tenant": "acme"])
            UserAgentInterceptor(HTTP.UserAgent("Shop"))
        }

        expectTrue(request.headers.isEmpty)
    }

    @Test(
        "refuses invalid fields, at creation or from its closure",
        arguments: [["X-A": "a\r\nX-B: b"], ["X A": "a"], ["X-A": "a\0"], ["": "a"]]
            as [HTTP.Headers]
    )
    func invalid(fields: HTTP.Headers) throws {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { DefaultHeadersInterceptor(fields) }
        }
        let error = #expect(throws: HTTP.RequestError.self) {
            try shaped(.get(orders)) { DefaultHeadersInterceptor { _ in fields } }
        }
        expectEqual(error?.code, .invalidField)
    }

    @Test("fails the call with the closure's error, and refuses empty origins")
    func failures() throws {
        #expect(throws: Problem()) {
            try shaped(.get(orders)) { DefaultHeadersInterceptor { _ in throw Problem() } }
        }
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { DefaultHeadersInterceptor([:], origins: []) }
        }
    }
}
