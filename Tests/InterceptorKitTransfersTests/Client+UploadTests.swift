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

@Suite("HTTP.Client.upload")
struct UploadTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func chunks() -> AsyncStream<Data> {
        AsyncStream { source in
            for text in ["012", "345", "6789"] { source.yield(Data(text.utf8)) }
            source.finish()
        }
    }

    /// Reads the body, and answers.
    private static func reader(
        _ statuses: [HTTP.Status] = [201],
        _ seen: Recorder<String> = Recorder()
    ) -> ScriptedTransport<HTTP.Request> {
        ScriptedTransport { request, call in
            var body = Data()
            for try await chunk in request.body {
                body += chunk
                try await call.runtime.sleep(for: .seconds(1))
            }
            seen.note(String(decoding: body, as: UTF8.self))
            return HTTP.Response(statuses[min(seen.entries.count, statuses.count) - 1])
        }
    }

    @Test("sends bytes, files, ranges and streams in place of the request's body")
    func bodies() throws {
        try folder.write(Data("x0123456789y".utf8), to: "file")
        let seen = Recorder<String>()
        let path = folder["file"]
        try folder.write(Data("0123456789".utf8), to: "whole")
        let whole = folder["whole"]
        let lengths = try Simulation.run { simulation in
            let client = try simulation.client(Self.reader([201], seen)) {}
            let request = HTTP.Request.put(page, body: "other")
            for body in [
                .bytes(Data("0123456789".utf8)), .file(whole), .file(path, range: 1..<11),
                .oneShot(chunks()), .replayable { chunks() },
            ] as [HTTP.Body] {
                _ = try await client.upload(request, from: body)
            }
            return 0
        }

        expectEqual(lengths, 0)
        expectEqual(seen.entries, Array(repeating: "0123456789", count: 5))
    }

    @Test("sends the request's own body and its media type by default")
    func ownBody() throws {
        let transport = Self.reader()

        try Simulation.run { simulation in
            let client = try simulation.client(transport) {}
            _ = try await client.upload(.put(page, body: .json(["a": 1])))
            _ = try await client.startUpload(.put(page, body: .text("b"))).value
        }

        let sent = transport.sent.map(\.input)
        expectEqual(
            sent.map { $0.headers["Content-Type"] },
            [
                "application/json", "text/plain; charset=utf-8",
            ]
        )
        expectEqual(sent.map { $0.body.length }, [7, 1])
    }

    @Test("returns the response with its body, whatever the status")
    func response() async throws {
        let text = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in
                HTTP.Response(409, body: "no")
            }
            let upload = try simulation.client(transport) {}
                .startUpload(.put(page), from: "content")
            let response = try await upload.value
            try requireEqual(response.status, 409)
            try requireEqual(upload.latestProgress.completedBytes, 0)
            return try await response.text()
        }

        expectEqual(text, "no")
    }

    @Test("reports the bytes the transport sent, which fall back on a retry")
    func reported() async throws {
        let seen = try await onEverySeed(0..<50) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                for count in [3, 6, 10] {
                    try await call.runtime.sleep(for: .seconds(1))
                    call.onBodySent?(count)
                }
                try await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response(call.attempt == 1 ? 503 : 201)
            }
            let own = Recorder<Int>()
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            let upload = client.startUpload(.put(page), from: .bytes(Data(count: 10))) { call in
                call.onBodySent = { own.note($0) }
            }
            var seen: [Int] = []
            for await progress in upload.progress where progress.completedBytes != seen.last {
                seen.append(progress.completedBytes)
            }
            try requireEqual(own.entries, [3, 6, 10, 3, 6, 10])
            try requireEqual(upload.latestProgress.totalBytes, 10)
            return seen
        }

        expectEqual(seen, [0, 3, 6, 10, 3, 6, 10])
    }

    @Test("counts the bytes read from a stream if the transport reports none")
    func counted() async throws {
        let seen = try await onEverySeed(0..<50) { simulation in
            let client = try simulation.client(Self.reader([503, 201])) {
                RetryInterceptor(policy: .steady)
            }
            let upload = client.startUpload(
                .put(page),
                from: .replayable(length: 10) { chunks() }
            )
            var seen: [Int] = []
            for await progress in upload.progress where progress.completedBytes != seen.last {
                seen.append(progress.completedBytes)
            }
            return seen
        }

        expectEqual(seen, [0, 3, 6, 10, 3, 6, 10])
    }

    @Test("prefers the transport's count to the bytes read from a stream")
    func reportedStream() throws {
        let progress = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { request, call in
                call.onBodySent?(1)
                _ = try await request.body.collect()
                return HTTP.Response(500)
            }
            let upload = try simulation.client(transport) {}
                .startUpload(.put(page), from: .replayable(length: 10) { chunks() })
            _ = try await upload.value
            return upload.latestProgress
        }

        expectEqual(progress.completedBytes, 1)
    }

    @Test("reports a body in memory as sent once the server accepts it")
    func accepted() throws {
        let progress = try Simulation.run { simulation in
            let upload = try simulation.client(Self.reader()) {}
                .startUpload(.put(page), from: .bytes(Data(count: 10)))
            _ = try await upload.value
            return upload.latestProgress
        }

        expectEqual(progress.completedBytes, 10)
        expectEqual(progress.fraction, 1)
    }

    @Test("ignores the client's timeout and obeys its own")
    func timeLimits() throws {
        let deadlines = try Simulation.run { simulation in
            let transport = Self.reader()
            let client = try HTTP.Client(transport: transport, runtime: simulation.runtime) {}
            _ = try await client.upload(.put(page), from: "a")
            _ = try await client.upload(.put(page), from: "a", timeout: .seconds(5))
            return transport.sent.map { $0.call.deadline?.offset }
        }

        expectEqual(deadlines, [nil, .seconds(6)])
    }

    @Test("releases its stream when it is cancelled while reading")
    func cancelled() async throws {
        try await onEverySeed(0..<50) { simulation in
            let stream = CountingStream(chunks: 100)
            let client = try simulation.client(Self.reader()) {}
            let upload = client.startUpload(.put(page), from: .oneShot(stream))
            try await simulation.runtime.sleep(for: .milliseconds(2500))
            upload.cancel()
            let result = await Result { try await upload.value }

            try #require(throws: CancellationError.self) { try result.get() }
            try requireEqual(stream.cancels, 1)
            try requireEqual(upload.latestProgress.completedBytes, 3 * 1024)
            try requireNoLeaks(in: client)
        }
    }
}
