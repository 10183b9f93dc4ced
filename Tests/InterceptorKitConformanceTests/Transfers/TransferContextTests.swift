import ConformanceReference
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTransfers
import Synchronization
import TestRun
import Testing

@testable import InterceptorKitConformance

@Suite("TransferContext", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct TransferContextTests {
    /// Has something tried as a requirement, and returns the reason it failed for.
    private func reason(
        _ body: @escaping @Sendable (TransferContext) async throws -> Void
    ) async -> String? {
        let report = await TransportConformance.run(
            [.transfer("does it", body)],
            as: "trial"
        ) { ReferenceTransport() }
        guard case .tried(.failed(let reason)) = report.results.first?.outcome else { return nil }
        return reason
    }

    @Test("cuts the first answers off, and none after them")
    func cuts() async {
        let reason = await reason { context in
            let server = try context.server(Data("0123456789".utf8), cutting: [3, 2])

            let file = try await context.client.download(.get(server.url("/")), to: context.path())

            expectEqual(server.requests.map { $0.headers["Range"] }, [nil, "bytes=3-", "bytes=5-"])
            expectEqual(file.resumptions, 2)
            try expectEqual(context.content(), Data("0123456789".utf8))
        }

        expectEqual(reason, nil)
    }

    @Test("takes a download's failure only as expected, with nothing left")
    func failures() async {
        let none = await reason { context in
            let server = try context.server(Data("0123456789".utf8))
            _ = try await context.failure(.refused, of: server.url("/"))
        }
        let other = await reason { context in
            let server = try context.context.server(.status(404))
            _ = try await context.failure(.tooLong, of: server.url("/"))
        }
        let left = await reason { context in
            let server = try context.context.server(.status(404))
            try Data().write(to: context.folder.appending(path: "stray"))
            _ = try await context.failure(.refused, of: server.url("/"))
        }

        expectEqual(none, "The download succeeded instead of failing.")
        expectEqual(other, "The error's code is refused instead of tooLong.")
        expectEqual(left, "What is left in the folder is [\"stray\"] instead of [].")
    }

    @Test("has a folder of its own while it is tried, removed even if it failed")
    func folders() async {
        let folders = Lock<[String]>([])

        for _ in 0..<2 {
            let reason = await reason { context in
                folders.withLock { $0.append(context.folder.path) }
                try Data().write(to: context.folder.appending(path: "stray"))
                throw ExpectationFailure("It broke.")
            }
            expectEqual(reason, "It broke.")
        }

        let paths = folders.withLock(\.self)
        expectEqual(Set(paths).count, 2)
        expectTrue(!paths.contains { FileManager.default.fileExists(atPath: $0) })
    }
}
