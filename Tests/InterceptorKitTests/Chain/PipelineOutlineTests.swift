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

    @Test("shows what stands in a container without name and condition as if it stood there itself")
    func bare() throws {
        let pipeline = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {
            CompositeInterceptor {
                RetryInterceptor(policy: .standard)
                CompositeInterceptor { HookInterceptor<HTTP.Request>() }
            }
            CompositeInterceptor(when: { _, _ in true }) { HookInterceptor<HTTP.Request>() }
        }

        let elements = pipeline.outline.elements

        let hook = PipelineOutline.Element.interceptor("HookInterceptor", nil)
        #expect(
            elements == [
                .interceptor("RetryInterceptor", .retry), hook,
                .group(nil, isConditional: true, [hook]),
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
