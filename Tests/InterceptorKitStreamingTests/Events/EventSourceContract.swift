import Foundation
import InterceptorKit
import InterceptorKitStreaming
import Testing

/// The cases of LaunchDarkly's contract tests for event stream clients that are about requests and reconnections,
/// written again.
struct EventSourceContract: Sendable, CustomTestStringConvertible {
    let name: String
    let request: HTTP.Request
    let lastEventID: String?
    let replies: [Feed.Reply]
    let count: Int
    let check: @Sendable (EventSourceRun) -> String?

    init(
        _ name: String,
        sending request: HTTP.Request = .get("https://a.example/feed"),
        lastEventID: String? = nil,
        _ replies: Feed.Reply...,
        upTo count: Int = .max,
        check: @escaping @Sendable (EventSourceRun) -> String?
    ) {
        self.name = name
        self.request = request
        self.lastEventID = lastEventID
        self.replies = replies
        self.count = count
        self.check = check
    }

    var testDescription: String { name }

    /// What is wrong; `nil` if nothing is.
    var problem: String? {
        get throws {
            var options = HTTP.EventSourceOptions()
            options.lastEventID = lastEventID
            options.silenceLimit = .seconds(5)
            let replies = replies
            let feed = Feed { _, number in
                number <= replies.count ? replies[number - 1] : .noContent
            }
            let run = try EventSourceRun(
                feed,
                request,
                options,
                upTo: count,
                interceptors: [RedirectInterceptor()]
            )
            return check(run)
        }
    }

    private static func expect<Value: Equatable>(_ actual: Value, _ expected: Value) -> String? {
        actual == expected ? nil : "\(actual) instead of \(expected)"
    }

    private static let json: HTTP.Headers = ["Content-Type": "application/json; charset=utf-8"]
    private static let body: HTTP.Body = #"{"hello": "world"}"#

    static let cases = requests + redirects + reconnections

    private static let requests: [EventSourceContract] = [
        Self("method and fields") { run in
            let request = run.requests[0]
            let fields = ["Accept", "Cache-Control", "Last-Event-ID"].map { request.headers[$0] }
            return expect(request.method, .get)
                ?? expect(fields, ["text/event-stream", "no-cache", nil])
        },
        Self("204 ends the source", .noContent, .text("data: late\n\n")) { run in
            expect(run.requests.count, 1) ?? expect(run.hasEnded, true)
                ?? expect(run.ending == nil, true)
        },
        Self(
            "fields of one's own",
            sending: .get(
                "https://a.example/feed",
                headers: ["header-1": "value-1", "header-2": "value-2"]
            )
        ) { run in
            expect(run.requests[0].headers["header-1"], "value-1")
                ?? expect(run.requests[0].headers["header-2"], "value-2")
        },
        Self("POST", sending: .post("https://a.example/feed", headers: json, body: body)) { run in
            sameMessage(run.requests[0], .post)
        },
        Self(
            "REPORT",
            sending: HTTP.Request("REPORT", "https://a.example/feed", headers: json, body: body)
        ) { run in
            sameMessage(run.requests[0], "REPORT")
        },
        Self("a stored id in the first request", lastEventID: "abc") { run in
            expect(run.lastEventIDs, ["abc"])
        },
    ]

    private static func sameMessage(_ request: HTTP.Request, _ method: HTTP.Method) -> String? {
        expect(request.method, method)
            ?? expect(request.headers["Content-Type"], json["Content-Type"])
            ?? expect(request.body.inMemory, body.inMemory)
    }

    private static let redirects: [EventSourceContract] = [301, 307].flatMap { status in
        let status = HTTP.Status(status)
        return [
            Self(
                "\(status.code) is followed",
                .status(status, ["Location": "https://a.example/other"]),
                .text("data: hello\n\n"),
                upTo: 1
            ) { run in
                expect(run.data, ["hello"])
                    ?? expect(run.requests.map(\.url.path), ["/feed", "/other"])
            },
            Self("\(status.code) with an empty Location ends it", .status(status, ["Location": ""]))
            {
                run in expect(run.requests.count < 30, true) ?? expect(run.ending != nil, true)
            },
            Self("\(status.code) without Location ends it", .status(status)) { run in
                expect(run.requests.count, 1) ?? expect(run.ending != nil, true)
            },
        ]
    }

    private static let reconnections: [EventSourceContract] = [
        Self("the id of the last event", .text("id: abc\ndata: Hello\n\n")) { run in
            expect(run.lastEventIDs, [nil, "abc"])
        },
        Self(
            "the id of the last event that had one",
            .text("id: abc\ndata: Hello\n\ndata: World\n\n")
        ) { run in
            expect(run.lastEventIDs, [nil, "abc"]) ?? expect(run.data, ["Hello", "World"])
        },
        Self("no id after an empty one", .text("id: abc\ndata: 1\n\nid: \ndata: 2\n\n")) { run in
            expect(run.lastEventIDs, [nil, nil])
        },
        Self(
            "the request's body again",
            sending: .post("https://a.example/feed", headers: json, body: body),
            .text("data: 1\n\n")
        ) { run in
            expect(run.requests.count, 2) ?? sameMessage(run.requests[1], .post)
        },
        Self(
            "a limit of silence",
            .events(.text("data: Hello\n\n"), .stall),
            .text("data: again\n\n"),
            upTo: 2
        ) { run in
            expect(run.data, ["Hello", "again"])
                ?? expect(run.reasons.first is TimeoutError, true)
        },
        Self(
            "no event that was cut off",
            .text("id: abc\ndata: Hello\n\nid: def\ndata: Goodbye"),
            .text("data: We meet again\n\n"),
            upTo: 2
        ) { run in
            expect(run.data, ["Hello", "We meet again"])
                ?? expect(run.lastEventIDs, [nil, "abc"]) ?? expect(run.events[1].id, "abc")
        },
        Self(
            "a new connection that works",
            .text("id: abc\ndata: Hello\n\n"),
            .text("id: def\ndata: World\n\n"),
            upTo: 2
        ) { run in
            expect(run.events.map(\.id), ["abc", "def"])
        },
        // A caller restarts a source by beginning another where it stopped.
        Self(
            "a start after a stop",
            lastEventID: "abc",
            .text("id: abd\ndata: Thanks\n\n"),
            upTo: 1
        ) {
            run in expect(run.lastEventIDs, ["abc"]) ?? expect(run.data, ["Thanks"])
        },
    ]
}
