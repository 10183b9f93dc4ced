import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("AsyncMutex")
struct AsyncMutexTests {
    @Test("lets one task at a time work, in the order they came")
    func oneAtATime() async throws {
        let steps = try await onEverySeed { simulation in
            let mutex = AsyncMutex()
            let steps = Recorder<String>()
            let runtime = simulation.runtime
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        try? await runtime.sleep(for: .milliseconds(number))
                        await mutex.withLock {
                            steps.note("\(number) begins")
                            try? await runtime.sleep(for: .seconds(1))
                            steps.note("\(number) ends")
                        }
                    }
                }
            }
            return steps.entries
        }

        expectEqual(steps, (0..<3).flatMap { ["\($0) begins", "\($0) ends"] })
    }
}
