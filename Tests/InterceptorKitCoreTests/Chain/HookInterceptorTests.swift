import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HookInterceptor")
struct HookInterceptorTests {
    @Test("changes the input in before and the output in after")
    func changes() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            HookInterceptor<Int>(
                before: { input, _ in input += 1 },
                after: { output, input, _ in output = output * 100 + input }
            )
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 202)
    }

    @Test("replaces an error by an output")
    func recovers() async throws {
        let pipeline = try Pipeline(transport: Echo<Int> { _, _ in throw Problem() }) {
            HookInterceptor<Int>(onError: { error, input, _ in error is Problem ? input + 5 : nil })
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 6)
    }

    @Test("rethrows an error that it doesn't handle unchanged")
    func declines() async throws {
        let pipeline = try Pipeline(transport: Echo<Int> { _, _ in throw Problem(text: "mine") }) {
            HookInterceptor<Int>(onError: { _, _, _ in nil })
        }

        await #expect(throws: Problem(text: "mine")) { try await pipeline.run(1) }
    }
}
