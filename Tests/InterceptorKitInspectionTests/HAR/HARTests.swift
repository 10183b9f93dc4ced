import Expectations
import InterceptorKit
import InterceptorKitInspection
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct HARTests {
    private func entry(_ path: String) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: "GET", url: "https://a.example\(path)"),
            response: HAR.Response(status: 200, statusText: "OK"),
            timings: HAR.Timings(wait: .milliseconds(2), receive: .microseconds(500))
        )
    }

    private func error(_ text: String) -> HTTP.ContentError? {
        do throws(HTTP.ContentError) {
            _ = try HAR(json: Data(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test("writes every required member of the format, and reads it back")
    func roundTrip() throws {
        let archive = HAR(entries: [entry("/1"), entry("/2")])

        let json = try archive.json()
        let read = try HAR(json: json)

        let text = String(decoding: json, as: UTF8.self)
        expectEqual(read, archive)
        expectEqual(read.log.entries.first?.time, 2.5)
        for member in [
            "version", "creator", "startedDateTime", "time", "method", "url", "httpVersion",
            "cookies", "headers", "queryString", "headersSize", "bodySize", "status", "statusText",
            "content", "size", "mimeType", "redirectURL", "cache", "timings", "send", "wait",
            "receive",
        ] {
            expectTrue(text.contains("\"\(member)\" : "), "\(member)")
        }
        expectTrue(!text.contains("\\/"))
    }

    @Test("reads an archive with a byte order mark or without optional members")
    func lenient() throws {
        let text = """
            \u{FEFF}{"log": {"version": "1.2", "creator": {"name": "b", "version": "1"}, "pages": [],
            "entries": [{"startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "_initiator": {},
            "request": {"method": "GET", "url": "https://a.example/", "headers": []},
            "response": {"status": 200, "headers": [], "content": {"size": 0, "mimeType": ""}},
            "timings": {"send": 0, "wait": 1, "receive": 0, "_queued": 1}}]}}
            """

        let archive = try HAR(json: Data(text.utf8))

        expectEqual(archive.log.entries.map(\.request.url), ["https://a.example/"])
    }

    @Test(
        "refuses text that isn't JSON, with its line and column",
        arguments: [
            ("", "line 1, column 1"), ("{", "line 1, column 2"),
            ("{\n  \"log\": tru\n}", "line 2, column 10"), ("{}\n{}", "line 2, column 1"),
            ("{\"a\": \"x", "line 1, column 9"), ("{\"a\": 1,}", "line 1, column 9"),
            ("[1 2]", "line 1, column 4"), ("{\"a\": 1e}", "line 1, column 7"),
            ("\"a\\", "line 1, column 4"),
            (String(repeating: "[", count: 100_000), "line 1, column 513"),
        ]
    )
    func notJSON(text: String, place: String) {
        let problem = error(text)

        expectEqual(problem?.code, .notJSON)
        expectEqual(problem?.place, place)
    }

    @Test("refuses JSON that isn't an archive, with the member's path")
    func notAnArchive() throws {
        let problems = [
            error("[]"), error(#"{"log": {}}"#), error(#"{"log": {"entries": 1}}"#),
        ]

        expectTrue(problems.allSatisfy { $0?.code == .notAnArchive })
        expectEqual(problems.compactMap { $0?.place }, ["the whole", "log.entries", "log.entries"])
    }

    @Test(
        "leaves out and names an entry that cannot be read, and no other",
        arguments: [
            ("\"status\":200", "\"status\":\"ok\"", "response.status"),
            ("\"status\":200", "\"status\":1e30", ""),
            ("\"url\":", "\"uri\":", "request.url"),
            ("\"method\":\"GET\"", "\"method\":null", "request.method"),
        ]
    )
    func unreadable(member: String, odd: String, place: String) throws {
        let entries = try ["/1", "/2", "/3"].map { path in
            let json = String(decoding: try JSONEncoder().encode(entry(path)), as: UTF8.self)
            return path == "/2" ? json.replacing(member, with: odd) : json
        }

        let read = try HAR(
            json: Data("{\"log\":{\"entries\":[\(entries.joined(separator: ","))]}}".utf8)
        )

        expectEqual(
            read.log.entries.map(\.request.url),
            ["https://a.example/1", "https://a.example/3"]
        )
        expectEqual(
            read.unreadable.map { $0.prefix { $0 != ":" } },
            ["log.entries[1]" + (place.isEmpty ? "" : ".\(place)")]
        )
    }

    @Test("appends entries, and keeps every other byte of the file")
    func adding() throws {
        let found = """
            { "log" : {"version":"1.2",  "creator": {"name":"b","version":"1"},
              "entries": [ {"startedDateTime":"2026-01-01T00:00:00Z","time":1.50,"_own":[{"a":"]"}],
              "request":{"method":"GET","url":"https://a.example/0","headers":[]},
              "response":{"status":200,"headers":[],"content":{"size":0,"mimeType":""}},
              "timings":{"send":0,"wait":1,"receive":0}} ],
              "pages": [ ], "_note": "entries" } }
            """

        let json = try HAR.adding([entry("/1"), entry("/2")], to: Data(found.utf8))

        let text = String(decoding: json, as: UTF8.self)
        let paths = try HAR(json: json).log.entries.map(\.request.url)
        let split = try unwrap(found.firstRange(of: "}} ]"))
        expectTrue(text.hasPrefix(found[..<split.lowerBound] + "}},\n"))
        expectTrue(text.hasSuffix(found[split.upperBound...]))
        expectEqual(paths, (0...2).map { "https://a.example/\($0)" })
    }

    @Test("adds entries to an empty archive, and changes nothing without any")
    func addingToEmpty() throws {
        let empty = try HAR().json()

        let one = try HAR.adding([entry("/1")], to: empty)
        let none = try HAR.adding([], to: empty)

        try expectEqual(HAR(json: one).log.entries.map(\.request.url), ["https://a.example/1"])
        expectEqual(none, empty)
    }
}
