import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("LoopbackServer when stopped or waited for", .tags(.sockets), .serializedAcrossSuites)
struct LoopbackServerStopTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    #if os(Linux)
    // In a process of its own, where no other test opens descriptors.
    @Test("leaves no descriptor open after it stops")
    func closesEverything() async {
        await #expect(processExitsWith: .success) {
            // The first run opens what the runtime keeps.
            try await Self.serveAndStop()
            let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")

            try await Self.serveAndStop()
            let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")

            expectEqual(after.sorted(), before.sorted())
        }
    }

    private static func serveAndStop() async throws {
        let server = try LoopbackServer { request in
            request.number.isMultiple(of: 2) ? .stalled : .text("kept alive")
        }
        let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send(request) }
        try await server.waitForRequests(20)
        let during = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        expectTrue(during > 40)
        server.stop()
        server.stop()
        withExtendedLifetime(server) {}
    }
    #endif

    @Test("stops with its last reference, even while a handler runs")
    func stopsWithLastReference() async throws {
        var server: LoopbackServer? = try LoopbackServer { _ in
            await untilCancelled()
            return .text("late")
        }
        let client = try RawClient(port: try unwrap(server).port)
        client.send(Self.request)
        try await server?.waitForRequests(1)

        server = nil
        let text = client.readToEnd()

        expectEqual(text, "")
        expectEqual(client.end, .closed)
    }

    @Test("ends a wait when its task is cancelled")
    func cancelsWaits() async throws {
        let server = try LoopbackServer(script: [])
        let task = Task { try await server.waitForRequests(1, timeout: .seconds(60)) }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("refuses to wait for a negative duration")
    func refusesNegativeWait() async throws {
        let server = try LoopbackServer(script: [])

        let error = await #expect(throws: SettingError.self) {
            try await server.waitForRequests(1, timeout: .seconds(-1))
        }

        expectEqual(error?.setting.contains("1 request"), true)
    }

    @Test("says why it cannot start on a port in use")
    func refusesUsedPort() throws {
        let server = try LoopbackServer(script: [])
        var options = LoopbackServer.Options()
        options.port = server.port

        let error = #expect(throws: TestKitError.self) {
            try LoopbackServer(script: [], options: options)
        }

        expectEqual(error?.code, .cannotStart)
        expectEqual(error?.message.hasPrefix("127.0.0.1:\(server.port) could not be bound: "), true)
    }
}
