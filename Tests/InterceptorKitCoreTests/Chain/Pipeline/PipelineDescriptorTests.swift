import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite struct PipelineDescriptorTests {
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

        let descriptor = pipeline.descriptor

        #expect(descriptor.names == ["RetryInterceptor", "HookInterceptor"])
        #expect(descriptor.transport == "ScriptedTransport")
        #expect(
            descriptor.elements == [
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

    @Test("shows a client's signature under the condition that it has")
    func client() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let secret = "not for production"

        let api = try HTTP.Client(transport: transport) {
            RetryInterceptor(policy: .standard)
            CompositeInterceptor("signed", when: { request, _ in request.method == .post }) {
                SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
            }
        }

        #expect(api.pipeline.descriptor.names == ["RetryInterceptor", "SignInterceptor"])
        #expect(
            api.pipeline.descriptor.elements == [
                .interceptor("RetryInterceptor", .retry),
                .group("signed", isConditional: true, [.interceptor("SignInterceptor", .signing)]),
            ]
        )
    }

    @Test("has the description of its pipeline")
    func description() throws {
        let descriptor = PipelineDescriptor(
            [
                .interceptor("RetryInterceptor", .retry),
                .group("orders", isConditional: true, [.interceptor("Doubling", nil)]),
            ],
            transport: "Echo"
        )

        #expect(
            "\(descriptor)" == """
                input ↓                                   ↑ output
                  │ RetryInterceptor · retry
                  ├ orders (conditional)
                    │ Doubling
                  ═ Echo
                """
        )
        #expect("\(descriptor.elements[0])" == "│ RetryInterceptor · retry")
    }
}
