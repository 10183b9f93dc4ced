import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("UserAgentInterceptor")
struct UserAgentInterceptorTests {
    @Test("names the app, and the library behind it unless told otherwise")
    func products() throws {
        let agent = HTTP.UserAgent("Shop", version: "2.1", comment: "Linux (x86_64) \\")
            .adding("Plugin")

        let full = try shaped(.get(orders)) { UserAgentInterceptor(agent) }
        let short = try shaped(.get(orders)) {
            UserAgentInterceptor(HTTP.UserAgent("Shop"), namesLibrary: false)
        }

        expectEqual(
            full.headers["User-Agent"],
            #"Shop/2.1 (Linux \(x86_64\) \\) Plugin InterceptorKit"#
        )
        expectEqual(short.headers["User-Agent"], "Shop")
    }

    @Test("keeps the request's own field")
    func existing() throws {
        let request = try shaped(.get(orders, headers: ["user-agent": "own"])) {
            UserAgentInterceptor(HTTP.UserAgent("Shop"))
        }

        expectEqual(request.headers.values("User-Agent"), ["own"])
    }

    @Test(
        "refuses an invalid product when a pipeline is built",
        arguments: [
            HTTP.UserAgent(""), HTTP.UserAgent("My App"), HTTP.UserAgent("a/b"),
            HTTP.UserAgent("a", version: "1 0"), HTTP.UserAgent("a", version: ""),
            HTTP.UserAgent("a", comment: "x\r\nX-Evil: 1"), HTTP.UserAgent("a", comment: "\0"),
            HTTP.UserAgent("a", comment: "Müller"), HTTP.UserAgent("a").adding("b c"),
        ]
    )
    func invalid(agent: HTTP.UserAgent) {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { UserAgentInterceptor(agent) }
        }
    }
}
