import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Layout")
struct LayoutTests {
    @Test("refuses a container that contains itself, also when it is added")
    func endlessNesting() throws {
        struct Endless: Interceptor {
            var group: InterceptorGroup<Int>? { InterceptorGroup([self]) }
            func intercept(chain: InterceptorChain<Int>) async throws -> Int { 0 }
        }

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { Endless() }
        }
        let pipeline = try Pipeline(transport: Echo<Int>()) { Adding(amount: 1) }
        let added = #expect(throws: PipelineError.self) { try pipeline.adding([Endless()]) }

        expectEqual(error?.code, .nesting)
        expectEqual(added?.code, .nesting)
    }

    @Test("flattens the members of a container without name and condition")
    func bare() throws {
        let pipeline = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            CompositeInterceptor {
                RetryInterceptor(policy: .standard)
                CompositeInterceptor { HookInterceptor<HTTP.Request>() }
            }
            CompositeInterceptor(when: { _, _ in true }) { HookInterceptor<HTTP.Request>() }
        }

        let elements = pipeline.descriptor.elements

        let hook = PipelineDescriptor.Element.interceptor("HookInterceptor", nil)
        expectEqual(
            elements,
            [
                .interceptor("RetryInterceptor", .retry), hook,
                .group(nil, isConditional: true, [hook]),
            ]
        )
    }
}
