import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "Request bodies that are streams",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct UploadPipeTests {
    private let transport: CurlTransport

    init() throws { transport = try CurlTransport() }

    @Test("are an error when longer or shorter than stated", arguments: [9, 11])
    func wrongLength(stated: Int) async throws {
        let server = try LoopbackServer { _ in .status(200) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(
                .put(server.url("/"), body: counted(length: stated, chunks: 1, of: 10)),
                call: Call()
            )
        }

        expectEqual(error?.code, .other)
        expectEqual(error?.message.contains("\(stated) bytes it stated"), true)
        try await server.waitForOpenConnections(0)
    }

    @Test("are read from their stream no faster than they are sent")
    func backPressure() async throws {
        let server = try LoopbackServer { _ in .stalled }
        let made = Lock(0)
        let endless = AsyncStream<Data> {
            made.withLock { $0 += 10_000 }
            return Data(count: 10_000)
        }
        var options = LoopbackServer.Options()
        options.acceptsConnections = false
        let deaf = try LoopbackServer(options: options) { _ in .stalled }

        await #expect(throws: TransportError.self) {
            try await transport.send(
                .put(deaf.url("/"), body: .oneShot(endless)),
                call: Call().withDeadline(within: .milliseconds(300))
            )
        }

        // The pipe, libcurl's buffer and the kernel's.
        expectTrue(made.withLock(\.self) < 16 << 20)
        server.stop()
    }

    @Test("are wanted no more once their pipe is closed")
    func closed() async throws {
        let pipe = UploadPipe(length: nil, limit: 4)
        let writer = Task { try await pipe.push(Data(count: 10)) {} }

        pipe.close()

        try await expectEqual(writer.value, false)
    }

    @Test("wake the loop when it waits for them, and then only")
    func wakes() async throws {
        let pipe = UploadPipe(length: nil, limit: 100)
        let wakes = Lock(0)
        let wake: @Sendable () -> Void = { wakes.withLock { $0 += 1 } }

        _ = try await pipe.push(Data(count: 10), wake: wake)
        let before = wakes.withLock(\.self)
        let supplies = [pipe.supply(6), pipe.supply(6), pipe.supply(6)]
        for _ in 0..<2 { _ = try await pipe.push(Data(count: 10), wake: wake) }
        let after = wakes.withLock(\.self)
        try pipe.complete(wake: wake)

        expectEqual(before, 0)
        expectEqual(supplies, ["bytes(6)", "bytes(4)", "later"])
        expectEqual(after, 1)
        expectEqual([pipe.supply(50), pipe.supply(50)], ["bytes(20)", "end"])
    }
}

extension UploadPipe {
    fileprivate func supply(_ count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        let supply = unsafe bytes.withUnsafeMutableBytes { unsafe take(into: $0) }
        return "\(supply)"
    }
}
