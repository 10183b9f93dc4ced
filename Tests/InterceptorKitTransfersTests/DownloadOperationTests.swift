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
            faults: [.lost(after: 4), .lost(after: 1), .lost(after: 0), .lost(after: 1), nil]
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
        let server = FileServer(faults: [.lost(after: 1), .lost(after: 1), .lost(after: 1), nil])
        let elapsed = try Simulation.run { simulation in
            var options = HTTP.DownloadOptions()
            options.backoff.jitter = .none
            _ = try await simulation.client(server.transport) {}
                .download(.get(page), to: path, options: options)
            return simulation.now.offset
        }

        expectEqual(elapsed, .milliseconds(350))
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
