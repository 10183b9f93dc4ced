import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitTransport

@Suite(
    "URLSessionTransport",
    .tags(.sockets),
    .serializedAcrossSuites,
    .serialized,
    .timeLimit(.minutes(10))
)
struct LeftoverTests {
    @Test(
        "leaves no thread, descriptor or file when many of them are dropped",
        .enabled(if: OwnProcess.threads != nil, "The system does not tell of threads.")
    )
    func transports() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { _ in .text("hello") }
        try await useTransports(100, server.url("/"), folder)
        let threads = try unwrap(OwnProcess.threads)
        let descriptors = try unwrap(OwnProcess.descriptors)

        try await useTransports(cases(400, of: 2000), server.url("/"), folder)
        try await server.waitForOpenConnections(0)

        // Other tests run beside this one, so what is looked for is growth by hundreds.
        try expectTrue(unwrap(OwnProcess.threads) < threads + 100)
        try expectTrue(unwrap(OwnProcess.descriptors) < descriptors + 100)
        expectEqual(folder.contents, [])
    }

    private func useTransports(_ count: Int, _ url: HTTP.URL, _ folder: TemporaryFolder)
        async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= 8 { try await group.next() }
                group.addTask {
                    var settings = URLSessionTransport.Settings()
                    settings.temporaryFolder = folder.path
                    settings.bytesInMemory = 2
                    let transport = try URLSessionTransport(settings: settings)
                    let body = HTTP.Body.replayable {
                        AsyncStream<Data> { continuation in
                            continuation.yield(Data("hello".utf8))
                            continuation.finish()
                        }
                    }
                    let response = try await transport.send(.post(url, body: body), call: Call())
                    if index % 2 == 0 { _ = try await response.text() }
                    if index % 3 == 0 { transport.close() }
                }
            }
            try await group.waitForAll()
        }
    }
}
