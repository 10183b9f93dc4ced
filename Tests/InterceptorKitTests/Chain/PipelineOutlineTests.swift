import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite struct PipelineOutlineTests {
    @Test("lists names, placements, containers and conditions, outermost first")
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

    @Test("flattens the members of a container without name and condition")
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

    @Test("has the description of its pipeline")
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
