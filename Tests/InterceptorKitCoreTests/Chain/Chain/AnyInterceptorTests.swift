import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("AnyInterceptor")
struct AnyInterceptorTests {
    @Test("stands for the interceptor that it erases, however often")
    func erased() throws {
        let erased = AnyInterceptor(AnyInterceptor(RetryInterceptor<Int>(policy: .standard)))

        let pipeline = try Pipeline(transport: Echo<Int>()) { erased }

        expectEqual("\(erased)", "RetryInterceptor")
        expectEqual(erased.placement, .retry)
        expectEqual(
            pipeline.interceptors.map { type(of: $0) is RetryInterceptor<Int>.Type },
            [true]
        )
        expectEqual(pipeline.descriptor.elements, [.interceptor("RetryInterceptor", .retry)])
    }

    @Test("keeps the members and the name of a container that it erases")
    func container() throws {
        let erased = AnyInterceptor(
            CompositeInterceptor<Int>("both") {
                Adding(amount: 1)
                Adding(amount: 2)
            }
        )

        let pipeline = try Pipeline(transport: Echo<Int>()) { erased }

        let adding = PipelineDescriptor.Element.interceptor("Adding", nil)
        expectEqual(
            pipeline.descriptor.elements,
            [
                .group("both", isConditional: false, [adding, adding])
            ]
        )
    }

    @Test("refuses the settings that the interceptor it erases refuses")
    func validation() {
        var policy = RetryPolicy<Int>.standard
        policy.maxAttempts = 0
        let erased = AnyInterceptor(RetryInterceptor(policy: policy))

        #expect(throws: SettingError.self) { try erased.validate() }
    }

    @Test("runs a closure under its name and at its placement")
    func closure() async throws {
        let negating = AnyInterceptor<Int>("negating", placement: .token) { chain in
            try await chain.proceed(-chain.input)
        }

        let pipeline = try Pipeline(transport: Echo<Int>()) { negating }

        expectEqual(pipeline.descriptor.elements, [.interceptor("negating", .token)])
        try await expectEqual(pipeline.run(7), -7)
    }
}
