import ConformanceReference
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitTesting
import TestRun
import Testing

@Suite("ConformanceContext", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ConformanceContextTests {
    private let context = ConformanceContext(ReferenceTransport())

    /// What a requirement would be failed with.
    private func reason(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("finds the one request of a server, and says if there is another number")
    func single() async throws {
        let server = try context.server(.text("a"))
        defer { context.end() }

        let none = await reason { _ = try context.single(server) }
        _ = try await context.exchange(.get(server.url("/1")))
        let path = try context.single(server).path
        _ = try await context.exchange(.get(server.url("/2")))
        let two = await reason { _ = try context.single(server) }

        expectEqual(none, "The server received 0 requests instead of one.")
        expectEqual(path, "/1")
        expectEqual(two, "The server received 2 requests instead of one.")
    }

    @Test("stops every server when it ends")
    func ends() async throws {
        let servers = try (0..<2).map { _ in try context.server(.text("a")) }

        context.end()

        for server in servers {
            let error = await #expect(throws: TestKitError.self) {
                try await server.waitForRequests(1)
            }
            expectEqual(error?.code, .stopped)
        }
    }

    @Test("takes a failure only of the type and kind that is expected")
    func failures() async {
        let lost = TransportError(.connectionLost, "It is gone.")

        let reasons = [
            await reason { _ = try await context.failure(of: "It") { 1 } },
            await reason {
                _ = try await context.transportError(.timedOut, of: "It") { throw lost }
            },
            await reason {
                _ = try await context.transportError(.other, of: "It") {
                    throw ExpectationFailure("")
                }
            },
            await reason { _ = try await context.refusal(of: "It") { throw lost } },
            await reason {
                try await context.cancellation(of: "It") { throw ExpectationFailure("no") }
            },
        ]
        let fine = await reason {
            _ = try await context.transportError(.timedOut, .connectionLost, of: "It") {
                throw lost
            }
            try await context.cancellation(of: "It") { throw CancellationError() }
        }

        expectEqual(
            reasons,
            [
                "It succeeded instead of failing.",
                "It failed as connectionLost instead of [timedOut]: It is gone.",
                "It threw ExpectationFailure instead of a TransportError.",
                "It threw TransportError instead of an HTTP.RequestError.",
                "It threw ExpectationFailure instead of CancellationError: no",
            ]
        )
        expectEqual(fine, nil)
    }

    @Test("shows what was expected, bytes by their number and long texts cut")
    func shows() async {
        let text = await reason { try expect("b", is: "a", "The text") }
        let bytes = await reason { try expect(Data(count: 3), is: Data(count: 2), "The body") }
        let long = await reason { try expect(String(repeating: "x", count: 300), is: "", "It") }

        expectEqual(text, "The text is \"b\" instead of \"a\".")
        expectEqual(bytes, "The body is 3 bytes instead of 2 bytes.")
        expectEqual(long?.contains("x…"), true)
        expectTrue((long?.count ?? 0) < 250)
    }
}
