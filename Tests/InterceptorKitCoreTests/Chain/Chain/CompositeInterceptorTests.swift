import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("CompositeInterceptor")
struct CompositeInterceptorTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String) -> Marker<Int> { Marker(name, recorder) }

    @Test("skips its members while its condition is false, and runs the rest")
    func condition() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            CompositeInterceptor("even", when: { input, _ in input.isMultiple(of: 2) }) {
                marker("A")
                CompositeInterceptor("big", when: { input, _ in input > 10 }) {
                    marker("B")
                    marker("C")
                }
                marker("D")
            }
            marker("E")
        }

        for input in [1, 2, 12] { _ = try await pipeline.run(input) }

        expectEqual(
            recorder.entries.filter { $0.hasSuffix(">") },
            [
                "E>", "A>", "D>", "E>", "A>", "B>", "C>", "D>", "E>",
            ]
        )
    }

    @Test("takes a list of members with a name and a condition")
    func list() async throws {
        let members: [any Interceptor<Int>] = [marker("A"), marker("B")]
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            CompositeInterceptor("even", members, when: { input, _ in input.isMultiple(of: 2) })
        }

        for input in [1, 2] { _ = try await pipeline.run(input) }

        expectEqual(recorder.entries, ["A>", "B>", "<B", "<A"])
        expectTrue(pipeline.description.contains("even"))
    }

    @Test("passes the call to its condition")
    func conditionSeesCall() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            CompositeInterceptor("second", when: { _, call in call.attempt == 2 }) { marker("A") }
        }

        _ = try await pipeline.run(1, call: Call())
        _ = try await pipeline.run(1, call: Call().withAttempt(2))

        expectEqual(recorder.entries, ["A>", "<A"])
    }

    @Test("runs its members when another interceptor calls it itself")
    func calledDirectly() async throws {
        struct Wrapper: Interceptor {
            let inner: CompositeInterceptor<Int>
            func intercept(chain: InterceptorChain<Int>) async throws -> Int {
                try await inner.intercept(chain: chain)
            }
        }
        let group = CompositeInterceptor<Int>("pair", when: { input, _ in input > 0 }) {
            marker("A")
            marker("B")
        }
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            Wrapper(inner: group)
            marker("C")
        }

        _ = try await pipeline.run(1)
        _ = try await pipeline.run(0)

        expectEqual(recorder.entries, ["A>", "B>", "C>", "<C", "<B", "<A", "C>", "<C"])
    }

    @Test("is validated itself when it is a user's own container")
    func validatesContainers() {
        struct Refusing: Interceptor {
            var group: InterceptorGroup<Int>? { InterceptorGroup([Adding(amount: 1)]) }
            func validate() throws { throw Problem(text: "no") }
            func intercept(chain: InterceptorChain<Int>) async throws -> Int { 0 }
        }

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { Refusing() }
        }

        expectEqual(error?.cause as? Problem, Problem(text: "no"))
    }

    @Test("validates its members")
    func validates() {
        #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                CompositeInterceptor { BaseURLInterceptor("nowhere") }
            }
        }
    }
}
