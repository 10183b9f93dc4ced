import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A resumed download")
struct ResumptionTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func result(
        _ server: FileServer,
        resumptions: Int = 3,
        _ interceptors: @escaping @Sendable () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws -> HTTP.DownloadedFile {
        let path = folder["file"]
        var options = HTTP.DownloadOptions()
        options.resumptions = resumptions
        return try Simulation.run { [options] simulation in
            try await simulation.client(server.transport) { interceptors() }
                .download(.get(page), to: path, options: options)
        }
    }

    private var content: String? {
        folder.content("file").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("requests the rest of the same version after a lost connection")
    func rest() throws {
        let server = FileServer(faults: [.lost(after: 3), .lost(after: 4), nil])

        let file = try result(server)

        #expect(content == "0123456789")
        #expect(file.resumptions == 2)
        #expect(server.ranges == [nil, "bytes=3-", "bytes=7-"])
        #expect(server.requests.map { $0["If-Range"] } == [nil, "\"1\"", "\"1\""])
        #expect(
            server.requests.map { $0["Accept-Encoding"] } == ["identity", "identity", "identity"]
        )
        #expect(folder.names == ["file"])
    }

    @Test("continues after a body that ended early")
    func truncated() throws {
        let file = try result(FileServer(faults: [.cut(after: 6)]))

        #expect(content == "0123456789")
        #expect(file.resumptions == 1)
    }

    @Test("requests the rest again when that request couldn't be sent", arguments: [1, 2])
    func notAsked(failures: Int) throws {
        let server = FileServer(faults: [.lost(after: 6)])
        let asked = Recorder<Int>()

        let file = try result(server) {
            [
                HookInterceptor(
                    before: { request, _ in
                        guard request.headers.contains("Range") else { return }
                        asked.note(1)
                        guard asked.entries.count > failures else {
                            throw TransportError(.cannotConnect, "No connection could be made.")
                        }
                    }
                )
            ]
        }

        #expect(content == "0123456789")
        #expect(asked.entries.count == failures + 1)
        #expect(server.ranges == [nil, "bytes=6-"])
        #expect(file.resumptions == failures + 1)
    }

    @Test("gives up after the maximum of resumptions, and says how far it came")
    func givesUp() throws {
        let server = FileServer(
            faults: [.lost(after: 4), .lost(after: 1), .lost(after: 0), .lost(after: 1), nil]
        )

        let error = try #require(throws: HTTP.TransferError.self) { try result(server) }

        #expect(error.code == .interrupted)
        #expect(error.message.contains("6 of 10 bytes"))
        #expect((error.cause as? TransportError)?.code == .connectionLost)
        #expect(server.requests.count == 4)
        #expect(folder.names.isEmpty)
    }

    @Test("isn't attempted when it is turned off")
    func never() throws {
        let server = FileServer(faults: [.lost(after: 4)])

        #expect(throws: HTTP.TransferError.self) { try result(server, resumptions: 0) }
        #expect(server.requests.count == 1)
        #expect(server.requests[0]["Accept-Encoding"] == nil)
    }

    @Test(
        "isn't attempted without a strong validator and a length",
        arguments: [
            [:], ["ETag": "W/\"1\""], ["ETag": "1"], ["ETag": "\"1\"", "ETag": "\"2\""],
            ["ETag": "\"1\"", "Content-Encoding": "gzip"],
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

        #expect(error.code == .interrupted)
        #expect(server.requests.count == 1)
        #expect(folder.names.isEmpty)
    }

    @Test("uses a Last-Modified that is a minute old as a strong validator")
    func date() throws {
        let server = FileServer(
            headers: [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Date": "Sun, 06 Nov 1994 08:50:37 GMT",
            ],
            faults: [.lost(after: 4)]
        )

        _ = try result(server)

        #expect(content == "0123456789")
        #expect(server.requests.last?["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("starts over with the new version when the content has changed")
    func changed() throws {
        let server = FileServer(
            faults: [.lost(after: 5), .lost(after: 2), nil],
            change: { content, number in
                guard number > 1 else { return }
                content = RangedContent(Data("abcdef".utf8), headers: ["ETag": "\"2\""])
            }
        )

        let file = try result(server)

        #expect(content == "abcdef")
        #expect(server.ranges == [nil, "bytes=5-", "bytes=2-"])
        #expect(server.requests.last?["If-Range"] == "\"2\"")
        #expect(file.byteCount == 6)
    }

    @Test(
        "requests everything when the part received isn't the rest",
        arguments: [
            ("Content-Range", "bytes 4-8/10"), ("Content-Range", "bytes 4-9/10"),
            ("Content-Range", "bytes 5-9/11"),
            ("Content-Range", "bytes 5-9/*"), ("Content-Range", "bytes 5-8/10"),
            ("Content-Range", "items 5-9/10"), ("Content-Range", "bytes 5-12/10"),
            ("Content-Range", nil), ("ETag", "\"2\""), ("ETag", nil), ("Content-Encoding", "gzip"),
            ("Content-Type", "multipart/byteranges"),
        ] as [(String, String?)]
    )
    func wrongPart(field: String, value: String?) throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                guard number == 2 else { return }
                answer.headers[field] = value
                if field == "Content-Type" { answer.headers["Content-Range"] = nil }
                answer.body = Data("wrong".utf8)
            }
        )

        _ = try result(server)

        #expect(content == "0123456789")
        #expect(server.ranges == [nil, "bytes=5-", nil])
    }

    @Test("requests everything when the rest is refused", arguments: [400, 403, 412, 416])
    func refused(status: Int) throws {
        for interceptors in [[], [ErrorFilterInterceptor()], [ErrorFilterInterceptor.own]] {
            let server = FileServer(
                faults: [.lost(after: 5)],
                distort: { answer, number in
                    if number == 2 {
                        answer = .init(status: .init(status), headers: [:], body: .init())
                    }
                }
            )

            _ = try result(server) { interceptors }

            #expect(content == "0123456789")
            #expect(server.ranges == [nil, "bytes=5-", nil])
        }
    }

    @Test("keeps the partial file while the server is busy", arguments: [408, 429, 500, 503])
    func busy(status: Int) throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                if number == 2 {
                    answer = .init(status: .init(status), headers: [:], body: .init())
                }
            }
        )

        _ = try result(server)

        #expect(content == "0123456789")
        #expect(server.ranges == [nil, "bytes=5-", "bytes=5-"])
    }

    @Test("takes 416 as complete when nothing is missing, with error filters too")
    func complete() throws {
        for interceptors in [[], [ErrorFilterInterceptor()]] as [[any Interceptor<HTTP.Request>]] {
            let server = FileServer(faults: [.lost(after: 10)])

            let file = try result(server) { interceptors }

            #expect(content == "0123456789")
            #expect(file.resumptions == 1)
            #expect(server.ranges == [nil, "bytes=10-"])
        }
    }

    @Test(
        "requests everything when a 416 doesn't confirm that all is there",
        arguments: [(10, "bytes */11"), (10, "bytes 0-9/10"), (5, "bytes */5")]
    )
    func notComplete(count: Int, range: String) throws {
        let server = FileServer(
            faults: [.lost(after: count)],
            distort: { answer, number in
                guard number == 2 else { return }
                let headers: HTTP.Headers = ["Content-Range": range]
                answer = .init(status: 416, headers: headers, body: .init())
            }
        )

        _ = try result(server)

        #expect(content == "0123456789")
        #expect(server.ranges == [nil, "bytes=\(count)-", nil])
    }

    @Test("requests more when a part is less than the rest")
    func smallPart() throws {
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in
                guard number == 2 else { return }
                answer.headers["Content-Range"] = "bytes 5-7/10"
                answer.body = Data("567".utf8)
            }
        )

        _ = try result(server)

        #expect(content == "0123456789")
        #expect(server.ranges == [nil, "bytes=5-", "bytes=8-"])
    }

    @Test("computes the checksum of the whole file at the end")
    func checksum() throws {
        let path = folder["file"]
        let server = FileServer(
            faults: [.lost(after: 5)],
            change: { content, number in
                guard number > 1 else { return }
                content = RangedContent(Data("abcdef".utf8), headers: ["ETag": "\"2\""])
            }
        )
        var options = HTTP.DownloadOptions()
        options.computesChecksum = true
        let file = try Simulation.run { [options] simulation in
            try await simulation.client(server.transport) {}
                .download(.get(page), to: path, options: options)
        }

        #expect(file.checksum == HTTP.Checksum(of: "abcdef".utf8))
    }

    @Test("waits longer after each failure")
    func waits() throws {
        let path = folder["file"]
        let server = FileServer(faults: [.lost(after: 1), .lost(after: 1), .lost(after: 1), nil])
        let elapsed = try Simulation.run { simulation in
            var options = HTTP.DownloadOptions()
            options.backoff.jitter = .none
            _ = try await simulation.client(server.transport) {}
                .download(.get(page), to: path, options: options)
            return simulation.now.offset
        }

        #expect(elapsed == .milliseconds(350))
    }

    @Test("reports each resumption and restart")
    func events() throws {
        let path = folder["file"]
        let sink = RecordingEventSink()
        let server = FileServer(
            faults: [.lost(after: 5)],
            distort: { answer, number in if number == 2 { answer.headers["ETag"] = nil } }
        )
        try Simulation.run { simulation in
            _ = try await simulation.client(server.transport, events: sink) {}
                .download(.get(page), to: path)
        }

        let told = sink.events.filter { $0.name.description.hasPrefix("download.") }
        #expect(told.map(\.name) == [.downloadResumed, .downloadRestarted])
        #expect(told.map { $0.attributes["bytes"] } == [.number(5), .number(5)])
    }
}

extension ErrorFilterInterceptor {
    /// One that names errors in the caller's own terms.
    fileprivate static var own: Self { ErrorFilterInterceptor(map: { _ in Problem() }) }
}
