import Expectations
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

@Suite("DownloadOperation")
struct DownloadOperationTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func result(
        _ server: FileServer,
        resumptions: Int = 3,
        _ interceptors: @escaping @Sendable () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws -> HTTP.DownloadedFile {
        var options = HTTP.DownloadOptions()
        options.resumptions = resumptions
        return try folder.download(from: server, .get(page), options, through: interceptors)
    }

    private var content: String? { folder.text }

    @Test("requests the rest of the same version after a lost connection")
    func rest() throws {
        let server = FileServer(faults: [.lost(after: 3), .lost(after: 4), nil])

        let file = try result(server)

        expectEqual(content, "0123456789")
        expectEqual(file.resumptions, 2)
        expectEqual(server.ranges, [nil, "bytes=3-", "bytes=7-"])
        expectEqual(server.requests.map { $0["If-Range"] }, [nil, "\"1\"", "\"1\""])
        expectEqual(
            server.requests.map { $0["Accept-Encoding"] },
            ["identity", "identity", "identity"]
        )
        expectEqual(folder.names, ["file"])
    }

    @Test("continues after a body that ended early")
    func truncated() throws {
        let file = try result(FileServer(faults: [.cut(after: 6)]))

        expectEqual(content, "0123456789")
        expectEqual(file.resumptions, 1)
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

        expectEqual(content, "0123456789")
        expectEqual(asked.entries.count, failures + 1)
        expectEqual(server.ranges, [nil, "bytes=6-"])
        expectEqual(file.resumptions, failures + 1)
    }

    @Test("gives up after the maximum of resumptions, and says how far it came")
    func givesUp() throws {
        let server = FileServer(
            faults: [.lost(after: 6), .lost(after: 0), .lost(after: 0), .lost(after: 0), nil]
        )

        let error = try #require(throws: HTTP.TransferError.self) { try result(server) }

        expectEqual(error.code, .interrupted)
        expectTrue(error.message.contains("6 of 10 bytes"))
        expectEqual((error.cause as? TransportError)?.code, .connectionLost)
        expectEqual(server.requests.count, 4)
        expectTrue(folder.names.isEmpty)
    }

    @Test("resumes nothing when that is turned off")
    func never() throws {
        let server = FileServer(faults: [.lost(after: 4)])

        #expect(throws: HTTP.TransferError.self) { try result(server, resumptions: 0) }
        expectEqual(server.requests.count, 1)
        expectEqual(server.requests[0]["Accept-Encoding"], nil)
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

        expectEqual(content, "abcdef")
        expectEqual(server.ranges, [nil, "bytes=5-", "bytes=2-"])
        expectEqual(server.requests.last?["If-Range"], "\"2\"")
        expectEqual(file.byteCount, 6)
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

        expectEqual(file.checksum, HTTP.Checksum(of: "abcdef".utf8))
    }

    @Test("waits longer after each failure")
    func waits() throws {
        let path = folder["file"]
        let server = FileServer(faults: [.lost(after: 1), .lost(after: 0), .lost(after: 0), nil])
        let elapsed = try Simulation.run { simulation in
            var options = HTTP.DownloadOptions()
            options.backoff.jitter = .none
            _ = try await simulation.client(server.transport) {}
                .download(.get(page), to: path, options: options)
            return simulation.now.offset
        }

        expectEqual(elapsed, .milliseconds(350))
    }

    @Test("goes on as long as each request comes further")
    func further() throws {
        let server = FileServer(faults: Array(repeating: .lost(after: 1), count: 9) + [nil])

        let file = try result(server, resumptions: 1)

        expectEqual(content, "0123456789")
        expectEqual(file.resumptions, 9)
    }

    /// Downloads while requests for the rest are answered or refused in the server's place.
    private func download(
        refusing refuse: @escaping @Sendable (_ number: Int) throws -> HTTP.Response?
    ) throws -> (outcome: Result<HTTP.DownloadedFile, any Error>, waited: Duration, ranges: Int) {
        let server = FileServer(faults: [.lost(after: 6)])
        let path = folder["file"]
        let asked = Recorder<Int>()
        return try Simulation.run { simulation in
            let client = try simulation.client(server.transport) {
                LocalResponseInterceptor { request in
                    guard request.headers.contains("Range") else { return nil }
                    asked.note(1)
                    return try refuse(asked.entries.count)
                }
            }
            var options = HTTP.DownloadOptions()
            options.backoff = Backoff(base: .zero, cap: .zero)
            let outcome: Result<HTTP.DownloadedFile, any Error>
            do {
                outcome = .success(
                    try await client.download(.get(page), to: path, options: options)
                )
            } catch {
                outcome = .failure(error)
            }
            return (outcome, simulation.now.offset, asked.entries.count)
        }
    }

    @Test("waits for the rest as long as the server asks")
    func retryAfter() throws {
        let (outcome, waited, _) = try download { number in
            number < 3 ? HTTP.Response(503, headers: ["Retry-After": "7"]) : nil
        }

        try expectEqual(outcome.get().resumptions, 3)
        expectEqual(waited, .seconds(14))
    }

    @Test("fails at once if the server asks for a longer wait than a minute")
    func longRetryAfter() throws {
        let (outcome, waited, ranges) = try download { _ in
            HTTP.Response(503, headers: ["Retry-After": "61"])
        }

        let error = try unwrap(#expect(throws: HTTP.TransferError.self) { try outcome.get() })
        expectTrue(error.message.contains("after 61 s"), "\(error)")
        expectTrue(waited == .zero && ranges == 1)
    }

    @Test("requests the rest, not all of it, again after a time limit")
    func timeouts() throws {
        let slow = try download { number in
            if number < 3 { throw TimeoutError(.total, limit: .seconds(1)) }
            return nil
        }
        let busy = try download { _ in throw LimitError(.rate, nil, "It is full.") }

        try expectEqual(slow.outcome.get().resumptions, 3)
        let error = try unwrap(#expect(throws: HTTP.TransferError.self) { try busy.outcome.get() })
        expectEqual(error.code, .interrupted)
        expectTrue(error.cause is LimitError && busy.ranges == 3)
    }

    @Test("writes decoded what a server sends coded all the same")
    func coded() throws {
        // As engines do: what a caller asked for stays coded.
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let isOwn = request.headers.contains("Accept-Encoding")
            let headers: HTTP.Headers = isOwn ? ["Content-Encoding": "gzip", "ETag": "\"1\""] : [:]
            return HTTP.Response(200, headers: headers, body: isOwn ? "coded" : "plain")
        }
        let path = folder["file"]

        for (fields, text) in [([:], "plain"), (["Accept-Encoding": "gzip"], "coded")]
            as [(HTTP.Headers, String)]
        {
            try Simulation.run { simulation in
                _ = try await simulation.client(transport) {}
                    .download(.get(page, headers: fields), to: path)
            }
            expectEqual(content, text)
        }
        expectEqual(
            transport.sent.map { $0.input.headers["Accept-Encoding"] },
            ["identity", nil, "gzip"]
        )
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
        expectEqual(told.map(\.name), [.downloadResumed, .downloadRestarted])
        expectEqual(told.map { $0.attributes["bytes"] }, [.number(5), .number(5)])
    }
}
