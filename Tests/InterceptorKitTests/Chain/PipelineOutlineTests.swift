import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite struct PipelineOutlineTests {
    @Test("says names, placements, containers and conditions, outermost first")
    func elements() throws {
        let pipeline = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            RetryInterceptor(policy: .standard)
            CompositeInterceptor("bare") {
                CompositeInterceptor("on weekdays", when: { _, _ in true }) {
                    HookInterceptor<HTTP.Request>()
                }
            }
        }

        let outline = pipeline.outline

        #expect(outline.names == ["RetryInterceptor", "HookInterceptor"])
        #expect(outline.transport == "ScriptedTransport")
        #expect(
            outline.elements == [
                .interceptor("RetryInterceptor", .retry),
                .group(
                    "bare",
                    isConditional: false,
                    [
                        .group(
                            "on weekdays",
                            isConditional: true,
                            [.interceptor("HookInterceptor", nil)]
                        )
                    ]
                ),
            ]
        )
    }

    @Test("prints itself as the pipeline does")
    func description() throws {
        let outline = PipelineOutline(
            [
                .interceptor("RetryInterceptor", .retry),
                .group("orders", isConditional: true, [.interceptor("Doubling", nil)]),
            ],
            transport: "Echo"
        )

        #expect(
            "\(outline)" == """
                input ↓                                   ↑ output
                  │ RetryInterceptor · retry
                  ├ orders (conditional)
                    │ Doubling
                  ═ Echo
                """
        )
        #expect("\(outline.elements[0])" == "│ RetryInterceptor · retry")
    }
}
