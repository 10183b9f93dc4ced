import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HookInterceptor")
struct HookInterceptorTests {
    @Test("runs before outermost first and after innermost first, with containers")
    func interleaving() async throws {
        let recorder = Recorder<String>()
        func hook(_ name: String) -> HookInterceptor<Int> {
            HookInterceptor(
                before: { _, _ in recorder.note("before \(name)") },
                after: { _, _, _ in recorder.note("after \(name)") }
            )
        }
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            hook("A")
            CompositeInterceptor { hook("B") }
        }

        _ = try await pipeline.run(1)

        expectEqual(recorder.entries, ["before A", "before B", "after B", "after A"])
    }

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

    @Test("passes everything through when it has no phase")
    func empty() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) { HookInterceptor<Int>() }

        try await expectEqual(pipeline.run(3), 3)
    }
}
