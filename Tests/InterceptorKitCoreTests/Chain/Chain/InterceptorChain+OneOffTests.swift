import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("InterceptorChain, one-off form")
struct InterceptorChainOneOffTests {
    @Test("adds interceptors just above the transport from inside an interceptor")
    func addsInside() async throws {
        let recorder = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                recorder.note("T")
                return input
            }
        ) {
            AnyInterceptor { chain in
                try await chain.add(interceptor: Marker("added", recorder)).proceed()
            }
            Marker("B", recorder)
        }

        _ = try await pipeline.run(1)

        expectEqual(recorder.entries, ["B>", "added>", "T", "<added", "<B"])
    }

    @Test("leaves the chain that it was called on unchanged")
    func immutable() async throws {
        let chain = InterceptorChain(input: 1, transport: Echo<Int>())
        let longer = chain.add(interceptor: Adding(amount: 10))

        let plain = try await chain.proceed()
        let added = try await longer.proceed()

        expectEqual(plain, 1)
        expectEqual(added, 11)
    }

    @Test("flattens added containers")
    func opensContainers() async throws {
        let recorder = Recorder<String>()
        let group = CompositeInterceptor<Int>("pair", when: { input, _ in input > 0 }) {
            Marker("A", recorder)
            Marker("B", recorder)
        }

        _ = try await InterceptorChain(input: 1, transport: Echo<Int>()).add(interceptor: group)
            .proceed()
        _ = try await InterceptorChain(input: 0, transport: Echo<Int>()).add(interceptor: group)
            .proceed()

        expectEqual(recorder.entries, ["A>", "B>", "<B", "<A"])
    }
}
