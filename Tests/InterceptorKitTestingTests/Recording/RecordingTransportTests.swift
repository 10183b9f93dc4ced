import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct RecordingTransportTests {
    @Test("replays recorded status, header fields, body, failures and order")
    func replayEqualsRecording() throws {
        let file = CassetteFile()
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let base = RecordingScript(replies: [
            .status(200, headers: ["Content-Type": "text/plain", "ETag": "\"1\""], body: "first"),
            .status(200, headers: ["x-a": "s", "Vary": "a", "vary": "b"], body: "second"),
            .reply(HTTP.Response(206, body: .bytes([0, 0xFE, 0xFF]))),
            .fail(TransportError(.cannotConnect, "It was refused.", isUnsent: true)),
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["ab", "cd"])))),
            .reply(HTTP.Response(200, body: .oneShot(Chunks(rest: ["ab"], error: lost)))),
            .status(304),
        ])
        let requests = [
            get("/same"), get("/same"), get("/binary"), get("/refused"), get("/stream"),
            get("/lost"), get("/empty"),
        ]

        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        let recorded = try Exchange.all(requests, over: recorder)
        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all(requests, over: player)

        var expected = recorded
        expected[1].headers[0] = "x-a: ██"
        expectEqual(replayed, expected)
        expectEqual(recorded.map(\.status), [200, 200, 206, 0, 200, 200, 304])
        expectEqual(recorded[4].body, Data("abcd".utf8))
        expectEqual(recorded[5].error, "The connection was lost.")
        expectEqual(recorded[5].body, Data("ab".utf8))
        expectEqual(base.sent.count, 7)
        try player.verify()
    }

    @Test("a replayed transport failure keeps its code and stays unsent")
    func failureKind() throws {
        let file = CassetteFile()
        let refusal = TransportError(.cannotConnect, "It was refused.", isUnsent: true)
        let base = RecordingScript(replies: [.fail(refusal)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = #expect(throws: TransportError.self) {
            try Simulation.run { simulation in
                _ = try await player.send(get("/"), call: Call(runtime: simulation.runtime))
            }
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual(error?.isUnsent, true)
    }

    @Test("a request sent more often than recorded fails and says so")
    func exhausted() throws {
        let file = CassetteFile()
        let base = RecordingScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let replayed = try Exchange.all([get("/a"), get("/a")], over: player)

        expectEqual(replayed.map(\.status), [200, 0])
        expectEqual(replayed.last?.error?.contains("was recorded once in the cassette"), true)
    }

    @Test("entries are in the order in which their sends began")
    func orderOfEntries() throws {
        let file = CassetteFile()
        let gate = Gate()
        let base = RecordingScript(expecting: [
            .get("/slow", .status(201).held(at: gate)), .get("/fast", .status(202)),
        ])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)

        try Simulation.run { simulation in
            let call = Call(runtime: simulation.runtime)
            async let slow = recorder.send(get("/slow"), call: call)
            try await gate.waitForArrivals(1)
            _ = try await recorder.send(get("/fast"), call: call)
            gate.open()
            _ = try await slow
        }

        let statuses = try HAR(json: file.data).log.entries.map(\.response.status)
        expectEqual(statuses, [201, 202])
    }

    @Test("a redacted body has its Content-Length adjusted")
    func contentLength() throws {
        let file = CassetteFile()
        let text = #"{"token":"0123456789","a":1}"#
        let headers: HTTP.Headers = ["Content-Length": "\(text.utf8.count)"]
        let base = RecordingScript(replies: [.json(text, headers: headers)])
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)

        let player = try RecordingTransport(replaying: file.path)
        let replayed = try Exchange.all([get("/a")], over: player)

        let body = Data(#"{"token":"██","a":1}"#.utf8)
        expectEqual(replayed.first?.body, body)
        expectEqual(replayed.first?.headers.first, "Content-Length: \(body.count)")
    }

    @Test("concurrent sends are each recorded and replayed once under every seed")
    func concurrency() throws {
        try simulate(seeds: 0..<40) { simulation in
            let file = CassetteFile()
            let base = RecordingScript { _, call in
                try await call.runtime.sleep(for: .milliseconds(call.runtime.random() % 3))
                return HTTP.Response(body: .text("\(call.id)"))
            }
            let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
            let recorded = try await bodies(of: 5, over: recorder, in: simulation)
            let player = try RecordingTransport(replaying: file.path)
            let replayed = try await bodies(of: 5, over: player, in: simulation)

            try requireEqual(Set(recorded).count, 5)
            try requireEqual(replayed.sorted(), recorded.sorted())
            try player.verify()
        }
    }

    private func bodies(
        of count: Int,
        over transport: RecordingTransport,
        in simulation: Simulation
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let call = Call(runtime: simulation.runtime)
                    return try await transport.send(get("/same"), call: call).text()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("a cancelled send replays nothing")
    func cancellation() throws {
        let file = CassetteFile()
        let base = RecordingScript { _, _ in HTTP.Response(200) }
        let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
        _ = try Exchange.all([get("/a")], over: recorder)
        let player = try RecordingTransport(replaying: file.path)

        let error = try Simulation.run { simulation in
            let errors = Recorder<any Error>()
            let sender = simulation.runtime.start("sender") {
                while !Task.isCancelled { await Task.yield() }
                do {
                    _ = try await player.send(get("/a"), call: Call(runtime: simulation.runtime))
                } catch { errors.note(error) }
            }
            sender.cancel()
            await sender.value
            return errors.entries.first
        }

        expectTrue(error is CancellationError)
        expectEqual(player.unused.count, 1)
    }
}
