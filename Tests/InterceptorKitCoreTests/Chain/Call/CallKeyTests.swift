import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("CallKey")
struct CallKeyTests {
    private enum Tenant: CallKey { static let defaultValue = "none" }
    private enum Count: CallKey { static let defaultValue = 0 }

    @Test("carries values by key, and the default where none was set")
    func values() {
        var call = Call()
        call[Tenant.self] = "acme"

        expectEqual(call[Tenant.self], "acme")
        expectEqual(call[Count.self], 0)
        expectEqual(call.withValue(2, for: Count.self)[Tenant.self], "acme")
    }

    @Test("shows values below the interceptor that set them and nowhere else")
    func valuesNeverFlowUp() async throws {
        let seen = Recorder<String>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, call in
                seen.note("below \(call[Tenant.self])")
                return input
            }
        ) {
            AnyInterceptor { chain in
                let output = try await chain.proceed()
                seen.note("above \(chain.call[Tenant.self])")
                return output
            }
            AnyInterceptor { chain in
                try await chain.proceed(
                    chain.input,
                    call: chain.call.withValue("acme", for: Tenant.self)
                )
            }
        }

        _ = try await pipeline.run(1)

        expectEqual(seen.entries, ["below acme", "above none"])
    }
}
