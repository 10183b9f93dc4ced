import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

@Suite("ContentVersion")
struct ContentVersionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func result(_ server: FileServer) throws -> HTTP.DownloadedFile {
        try folder.download(from: server)
    }

    private var content: String? { folder.text }

    @Test(
        "is none without a strong validator and a length",
        arguments: [
            [:], ["ETag": "W/\"1\""], ["ETag": "1"], ["ETag": "\"1\"", "ETag": "\"2\""],
            ["ETag": "\"1\"", "X-Length": "unknown"],
            // A weak tag is no reason to fall back on a date.
            [
                "ETag": "W/\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Date": "Sun, 06 Nov 1994 09:49:37 GMT",
            ],
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Date": "Sun, 06 Nov 1994 08:50:36 GMT",
            ],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ] as [HTTP.Headers]
    )
    func notResumable(headers: HTTP.Headers) throws {
        let server = FileServer(headers: headers, faults: [.lost(after: 4)])

        let error = try #require(throws: HTTP.TransferError.self) { try result(server) }

        expectEqual(error.code, .interrupted)
        expectEqual(server.requests.count, 1)
        expectTrue(folder.names.isEmpty)
    }

    @Test("takes a Last-Modified that is a minute old for a strong validator")
    func date() throws {
        let server = FileServer(
            "0123456789",
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Date": "Sun, 06 Nov 1994 08:50:37 GMT",
            ],
            faults: [.lost(after: 4)],
            // Allowed by RFC 9110 section 15.3.7.
            distort: { answer, number in if number == 2 { answer.headers["Last-Modified"] = nil } }
        )

        try expectEqual(result(server).resumptions, 1)
        expectEqual(server.requests.count, 2)

        expectEqual(content, "0123456789")
        expectEqual(server.requests.last?["If-Range"], "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("is that of a response with its validator and place, whatever the query")
    func same() throws {
        let date = Simulation.startDate
        let whole = HTTP.Response(200, headers: ["ETag": "\"1\""], body: "0123456789")
        let part = HTTP.Response(206, headers: ["ETag": "\"1\""])
        let signed = HTTP.Request.get("https://files.example.com/file?signature=2")
        let moved = HTTP.Request.get("https://files.example.com/other")

        let version = try unwrap(ContentVersion(of: whole, to: .get(page), date: date))
        var redirected = part
        redirected.request = moved

        expectTrue(version.isVersion(of: part, to: signed))
        expectTrue(!version.isVersion(of: part, to: moved))
        expectTrue(!version.isVersion(of: redirected, to: .get(page)))
        expectTrue(!version.isVersion(of: HTTP.Response(206), to: .get(page)))
        expectEqual(ContentVersion(of: part, to: .get(page), date: date), nil)
        expectEqual(ContentVersion(of: whole, to: .post(page), date: date), nil)
    }

    @Test(
        "has a strong entity tag in quotes, with neither blank nor quote inside",
        arguments: [
            ("\"1\"", true), ("\"\"", true), ("\"é\"", true), ("\"", false), ("", false),
            ("W/\"1\"", false), ("\"1", false), ("\"a b\"", false), ("\"a\"b\"", false),
            ("\"\u{7F}\"", false),
        ]
    )
    func entityTag(text: String, isStrong: Bool) {
        expectEqual(HTTP.isStrongEntityTag(text), isStrong)
    }
}
