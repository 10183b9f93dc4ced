import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("BodyLimits")
struct BodyLimitsTests {
    @Test(
        "counts as plenty what the rate asks for in the idle time, rounded up",
        arguments: [
            (nil, .seconds(20), 0), (240, .seconds(20), 4800), (1, .milliseconds(1500), 2),
            (3, .milliseconds(1), 1), (.max, .seconds(20), 1 << 62),
        ] as [(Int?, Duration, Int)]
    )
    func refillingBytes(rate: Int?, idle: Duration, bytes: Int) {
        expectEqual(BodyLimits(idle: idle, minimumRate: rate).refillingBytes, bytes)
    }

    @Test("are refused if rate, total or idle time isn't above zero")
    func refused() {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        for interceptor in [
            BodyTimeoutInterceptor(minimumRate: 0), BodyTimeoutInterceptor(total: .zero),
            BodyTimeoutInterceptor(idle: .zero),
        ] {
            #expect(throws: PipelineError.self) {
                try Pipeline(transport: transport) { interceptor }
            }
        }
        expectEqual(
            "\(BodyTimeoutInterceptor(total: .seconds(60)))",
            "BodyTimeoutInterceptor(idle: 20 s, minimumRate: 240 bytes/s, total: 60 s)"
        )
    }
}
