import BoundedWaits
import Dispatch
import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitLoadBalancing

@Suite("NameLookup")
struct NameLookupTests {
    @Test("returns what was found, and throws what went wrong")
    func results() async throws {
        let found = try await NameLookup.addresses(of: "a.example") { [$0] }

        expectEqual(found, ["a.example"])
        await #expect(throws: LoadBalancingError.self) {
            try await NameLookup.addresses(of: "a.example") { _ in
                throw LoadBalancingError.noEndpoints
            }
        }
    }

    @Test("ends at once when it is cancelled, while the look-up goes on")
    func cancelled() async throws {
        let log = EventLog<String>()
        let block = DispatchSemaphore(value: 0)
        let lookup = Task {
            try await NameLookup.addresses(of: "a.example") { _ in
                log.note("begun")
                block.wait()
                log.note("ended")
                return []
            }
        }
        try await log.wait { $0.contains("begun") }

        lookup.cancel()

        await #expect(throws: CancellationError.self) {
            try await within { try await lookup.value }
        }
        expectEqual(log.entries, ["begun"])
        block.signal()
        try await log.wait { $0.contains("ended") }
    }

    @Test("looks nothing up for a task that is cancelled already")
    func cancelledBefore() async {
        let log = EventLog<String>()
        let (stream, wait) = AsyncStream.makeStream(of: Void.self)
        let lookup = Task {
            // Ends when the task is cancelled.
            for await _ in stream {}
            return try await NameLookup.addresses(of: "a.example") { host in
                log.note(host)
                return []
            }
        }

        lookup.cancel()

        await #expect(throws: CancellationError.self) { try await lookup.value }
        expectTrue(log.entries.isEmpty)
        wait.finish()
    }

    // No resolver asks a server for what is no name.
    @Test("says the system's reason when a name cannot be resolved")
    func notFound() async throws {
        let error = await #expect(throws: LoadBalancingError.self) {
            try await NameLookup.addresses(of: "no..name")
        }

        expectEqual(error?.code, .nameNotResolved)
        expectEqual(error?.message.hasPrefix("The name \"no..name\" could not be resolved: "), true)
    }
}
