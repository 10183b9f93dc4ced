import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("InterceptorChain")
struct InterceptorChainTests {
    @Test("passes input down in the order written, and output back in reverse")
    func order() async throws {
        let recorder = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                recorder.note("T")
                return input
            }
        ) {
            Marker("A", recorder)
            Marker("B", recorder)
            Marker("C", recorder)
        }

        _ = try await pipeline.run(1)

        expectEqual(recorder.entries, ["A>", "B>", "C>", "T", "<C", "<B", "<A"])
    }

    @Test("returns a short circuit's output without reaching the stages below")
    func shortCircuit() async throws {
        let recorder = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                recorder.note("T")
                return input
            }
        ) {
            Marker("A", recorder)
            AnyInterceptor { _ in 7 }
            Marker("B", recorder)
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 7)
        expectEqual(recorder.entries, ["A>", "<A"])
    }

    @Test("can proceed in parallel, each time with its own input")
    func proceedsSideBySide() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            AnyInterceptor { chain in
                async let left = chain.proceed(chain.input + 1)
                async let right = chain.proceed(chain.input + 2)
                return try await left * right
            }
            Adding(amount: 10)
        }

        let output = try await pipeline.run(0)

        expectEqual(output, 11 * 12)
    }

    @Test("rethrows an error unchanged, thrown before or after proceeding")
    func errorIdentity() async throws {
        let before = try Pipeline(transport: Echo<Int>()) {
            AnyInterceptor { chain in try await chain.proceed() }
            AnyInterceptor { _ in throw Problem(text: "before") }
        }
        let after = try Pipeline(transport: Echo<Int>()) {
            AnyInterceptor { chain in try await chain.proceed() }
            AnyInterceptor { chain in
                _ = try await chain.proceed()
                throw Problem(text: "after")
            }
        }

        await #expect(throws: Problem(text: "before")) { try await before.run(1) }
        await #expect(throws: Problem(text: "after")) { try await after.run(1) }
    }

    @Test("rethrows CancellationError unchanged")
    func cancellationIdentity() async throws {
        let pipeline = try Pipeline(
            transport: Echo<Int> { _, _ in throw CancellationError() }
        ) {
            HookInterceptor<Int>(onError: { _, _, _ in 0 })
            AnyInterceptor { chain in try await chain.proceed() }
        }

        await #expect(throws: CancellationError.self) { try await pipeline.run(1) }
    }

    @Test("serves 1,000 concurrent calls with one instance, each with own state")
    func sharedInstance() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            AnyInterceptor { chain in
                let before = chain.input
                let output = try await chain.proceed()
                guard chain.input == before, output == before + 1 else { throw Problem() }
                return output
            }
            Adding(amount: 1)
        }

        let outputs = try await withThrowingTaskGroup(of: Int.self) { group in
            for input in 0..<1000 { group.addTask { try await pipeline.run(input) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }

        expectEqual(outputs, Set(1...1000))
    }

    @Test("runs 1,000 interceptors deep, with and without changes to the input")
    func deep() async throws {
        let changing = try Pipeline(
            (0..<1000).map { _ in Adding(amount: 1) },
            transport: Echo<Int>()
        )
        let passing = try Pipeline(
            (0..<1000).map { _ in AnyInterceptor<Int> { chain in try await chain.proceed() } },
            transport: Echo<Int>()
        )

        let changed = try await changing.run(0)
        let passed = try await passing.run(5)

        expectEqual(changed, 1000)
        expectEqual(passed, 5)
    }

    @Test("runs on the main actor when called from it")
    @MainActor
    func inheritsIsolation() async throws {
        struct Probe: Interceptor {
            let recorder: Recorder<Bool>

            func intercept(chain: InterceptorChain<Int>) async throws -> Int {
                recorder.note(#isolation === MainActor.shared)
                return try await chain.proceed()
            }
        }
        let recorder = Recorder<Bool>()
        let pipeline = try Pipeline(transport: Echo<Int>()) { Probe(recorder: recorder) }

        _ = try await pipeline.run(1)

        expectEqual(recorder.entries, [true])
    }
}
