import Expectations
import Foundation
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite(
    "A timeline's page in Chromium",
    .tags(.process),
    .serializedAcrossSuites,
    .enabled(if: Browser.isThere, "there is no chromium")
)
struct TimelinePageTests {
    private static func client(_ timeline: Timeline, _ statuses: [HTTP.Status]) throws
        -> HTTP.Client
    {
        let transport = ScriptedTransport<HTTP.Request>(
            replies: statuses.map { .status($0, body: .bytes(Data("hello".utf8))) }
        )
        return try HTTP.Client(transport: transport, timeout: nil, events: timeline) {
            AnyInterceptor<HTTP.Request>("</script><img src=x onerror=document.title=1>") {
                try await $0.proceed()
            }
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
        }
    }

    /// The page with keys pressed and a look at it after each, which its body then says.
    private static func driven(_ page: String, _ script: String) -> String {
        let driver = """
            <script>
            const press = (key) => document.activeElement.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true }));
            const log = (...values) => { document.body.dataset.log =
              (document.body.dataset.log ?? "") + values.join(" ") + "; "; };
            \(script)
            </script></body>
            """
        return page.replacing("</body>", with: driver)
    }

    @Test("shows every call and each of its rows as text, without an error")
    func rows() async throws {
        let timeline = Timeline()
        let client = try Self.client(timeline, [200, 404])
        _ = try await client.send(.get(orders)).text()
        _ = try await client.send(.get("https://api.example.com/missing")).text()

        let page = try await Browser.open(
            Self.driven(
                timeline.html(),
                """
                for (const row of document.querySelectorAll(".top")) row.click();
                log(document.querySelectorAll("#grid .row[id]").length);
                """
            )
        )

        let rows = try PageData(timeline).calls.map(\.rows.count)
        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains(#"data-log="\#(2 + rows[0] + rows[1]);"#))
        for text in ["SignInterceptor", "ScriptedTransport", "signature added", "404 Not Found"] {
            expectTrue(page.document.contains(text), "\(text)")
        }
        expectTrue(page.document.contains("&lt;/script&gt;&lt;img src=x"))
        expectTrue(!page.document.contains("<img"))
        expectTrue(page.document.contains("<title>Calls</title>"))
    }

    @Test("is usable by keyboard: moves, opens, shows details and returns")
    func keys() async throws {
        let timeline = Timeline()
        let client = try Self.client(timeline, [200, 404])
        for _ in 0..<2 { _ = try await client.send(.get(orders)).text() }

        let page = try await Browser.open(
            Self.driven(
                timeline.html(),
                """
                const at = () => document.activeElement.id;
                const panel = document.getElementById("details");
                document.querySelector("#grid [tabindex='0']").focus();
                press("ArrowDown"); log(at());
                press("ArrowUp"); press("ArrowRight"); log(document.activeElement.ariaExpanded);
                press("ArrowRight"); log(at());
                press("Enter"); log(panel.hidden, panel.querySelector("h2").textContent);
                press("Escape"); log(panel.hidden, at());
                press("ArrowLeft"); press("ArrowLeft"); log(at(), document.activeElement.ariaExpanded);
                press("/"); log(at());
                const filter = document.getElementById("filter");
                filter.value = "4xx"; filter.dispatchEvent(new Event("input"));
                log(document.getElementById("count").textContent);
                press("Escape"); log(document.getElementById("count").textContent);
                document.getElementById("failed-only").click();
                log(document.getElementById("count").textContent);
                """
            )
        )

        expectTrue(page.console.isEmpty)
        let log =
            "call-1; true; row-0-0; false call; true row-0-0; call-0 false; filter; "
            + "1 of 2 calls; 2 calls; 1 of 2 calls; "
        expectTrue(page.document.contains(#"data-log="\#(log)""#))
    }

    @Test("opens at a linked row, and reports dropped and running calls")
    func link() async throws {
        let timeline = Timeline(keeping: 1)
        _ = try await Self.client(timeline, [200]).send(.get(orders)).text()
        let html = try await Call(events: timeline).activity(.call, "call", from: "test") { call in
            call.emit("thing.decided", from: "test", ["reason": .text("because")])
            return (timeline.html(), call.id)
        }

        let page = try await Browser.open(html.0, at: "#\(html.1)/1")

        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains("1 earlier call was dropped to make room."))
        expectTrue(page.document.contains("1 still running"))
        expectTrue(page.document.contains("<h2>thing decided</h2>"))
        expectTrue(page.document.contains("<dd>because</dd>"))
    }

    @Test("shows the sentence of an error of its call, and where it came from")
    func errors() async throws {
        let timeline = Timeline()
        let lost = TransportError(.connectionLost, "The connection to a.example broke. Try again.")
        let transport = ScriptedTransport<HTTP.Request>(replies: [.fail(lost)])
        let client = HTTP.Client(transport: transport, events: timeline)
        _ = try? await client.send(.get(orders))

        let page = try await Browser.open(
            Self.driven(
                timeline.html(),
                """
                for (const label of document.querySelectorAll(".failed .result .label")) log(label.textContent);
                """
            )
        )

        let type = try PageData(timeline).calls.first?.rows.first?.facts["error.type"] ?? ""
        let sentence = "The connection to a.example broke."
        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains(#"data-log="\#(sentence); \#(type); \#(sentence); ""#))
    }

    @Test("shows an error with a status by its sentence, found by the status")
    func errorWithStatus() async throws {
        let timeline = Timeline()
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(404)])
        let client = try HTTP.Client(transport: transport, timeout: nil, events: timeline) {
            ErrorFilterInterceptor()
        }
        _ = try? await client.send(.get(orders))

        let page = try await Browser.open(
            Self.driven(
                timeline.html(),
                """
                log(document.querySelector(".failed .result .label").textContent);
                const field = document.querySelector("#filter");
                for (const term of ["4xx", "5xx"]) {
                  field.value = term;
                  field.dispatchEvent(new Event("input", { bubbles: true }));
                  log(document.getElementById("empty").hidden);
                }
                """
            )
        )

        let sentence = "GET https://api.example.com/orders was answered with 404 Not Found."
        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains(#"data-log="\#(sentence); true; false; ""#))
    }

    @Test("tells the parts of a send with it, and not as a decision")
    func parts() async throws {
        let timeline = Timeline()
        let call = Call(events: timeline)
        try await call.activity(.transport, "CurlTransport", from: "test") { call in
            call.report(HTTP.SendTimings(connect: .zero, firstByte: .milliseconds(12)))
        }

        let page = try await Browser.open(
            Self.driven(timeline.html(), "log(document.querySelectorAll('.row.moment').length);"),
            at: "#\(call.id)/1"
        )

        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains(#"data-log="0; ""#))
        expectTrue(page.document.contains(#"<dt>connection.reused</dt><dd>false</dd>"#))
        expectTrue(!page.document.contains("<dt>connect</dt>"))
    }

    @Test("cuts no name in a window of 1,280 pixels")
    func names() async throws {
        let timeline = Timeline()
        let names = (10..<22).map { "AdaptiveConcurrencyLimitInterceptor\($0)" }
        let client = try HTTP.Client(
            names.map { name in AnyInterceptor(name) { try await $0.proceed() } },
            transport: ScriptedTransport<HTTP.Request>(replies: [.status(200)]),
            events: timeline
        )
        _ = try await client.send(
            .get("https://api.example.com/v1/customers/4711/orders?page=2&status=open&sort=date")
        )

        let page = try await Browser.open(
            Self.driven(
                timeline.html(),
                """
                const names = [...document.querySelectorAll("#grid .name > .label")];
                log(names.length, names.filter((name) => name.scrollWidth > name.clientWidth).length);
                """
            )
        )

        expectTrue(page.console.isEmpty)
        expectTrue(page.document.contains(#"data-log="15 0; ""#))
    }

    @Test("opens a thousand calls, each folded to one row")
    func thousand() async throws {
        let timeline = Timeline()
        let client = try Self.client(timeline, Array(repeating: 200, count: 1000))
        for _ in 0..<1000 { _ = try await client.send(.get(orders)).text() }
        let html = timeline.html()

        let page = try await Browser.open(html)

        expectTrue(html.utf8.count < 2_000_000)
        expectTrue(page.console.isEmpty)
        expectEqual(page.document.components(separatedBy: #"id="call-"#).count, 1001)
        expectTrue(page.document.contains("1,000 calls"))
        expectTrue(!page.document.contains(#"id="row-"#))
    }
}
