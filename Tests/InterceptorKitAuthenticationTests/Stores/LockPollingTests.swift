import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("LockPolling")
struct LockPollingTests {
    @Test("asks at once, and lets no time pass if there is a response")
    func atOnce() async throws {
        try await onEverySeed(0..<20) { simulation in
            let waiting = LockPolling(runtime: simulation.runtime, limit: .zero)

            let value = try await waiting.first { 7 }

            try requireEqual(value, 7)
            try requireEqual(simulation.now.offset, .zero)
        }
    }

    @Test("asks again after pauses that grow from 2 to 100 ms at most")
    func pauses() async throws {
        try await onEverySeed(0..<50) { simulation in
            let asked = Recorder<Duration>()
            let waiting = LockPolling(runtime: simulation.runtime, limit: .seconds(10))

            let count = try await waiting.first { () -> Int? in
                asked.note(simulation.now.offset)
                return asked.entries.count == 30 ? 30 : nil
            }

            try requireEqual(count, 30)
            let pauses = zip(asked.entries.dropFirst(), asked.entries).map { $0 - $1 }
            try require(pauses[0] >= .milliseconds(1) && pauses[0] <= .milliseconds(2))
            try require(pauses.allSatisfy { $0 >= .milliseconds(1) && $0 <= .milliseconds(100) })
            try require(pauses[10...].allSatisfy { $0 >= .milliseconds(50) })
        }
    }

    @Test("gives up before its limit, and says how long that is")
    func limit() async throws {
        try await onEverySeed(0..<50) { simulation in
            let waiting = LockPolling(runtime: simulation.runtime, limit: .seconds(3))

            let error = await #expect(throws: CredentialStoreError.self) {
                try await waiting.first { () -> Int? in nil }
            }

            try requireEqual(error?.code, .lockTimedOut)
            try requireEqual(error.map { "\($0)".contains("for 3 s") }, true)
            try require(simulation.now.offset < .seconds(3))
            try require(simulation.now.offset > .milliseconds(2890))
        }
    }

    @Test("ends with the error of an attempt, and asks no more")
    func failure() async throws {
        try await onEverySeed(0..<20) { simulation in
            let asked = Recorder<Int>()
            let waiting = LockPolling(runtime: simulation.runtime, limit: .seconds(10))

            await #expect(throws: Problem.self) {
                try await waiting.first { () -> Int? in
                    asked.note(1)
                    if asked.entries.count == 3 { throw Problem() }
                    return nil
                }
            }

            try requireEqual(asked.entries.count, 3)
        }
    }
}
