import Expectations
import InterceptorKitTesting
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("SigningContext")
struct SigningContextTests {
    private func context(at seconds: Double) -> SigningContext {
        SigningContext(
            key: SigningKey(id: "app-1", secret: "s3cret".utf8),
            freshness: SignatureFreshness(
                date: Date(timeIntervalSince1970: seconds),
                nonce: "00"
            )
        )
    }

    @Test(
        "has a whole timestamp, 0 for a date beyond numbers",
        arguments: [
            (1_700_000_000.9, 1_700_000_000), (0, 0), (-0.5, -1), (1e300, 0), (-1e300, 0),
            (.infinity, 0), (.nan, 0),
        ] as [(Double, Int)]
    )
    func timestamp(seconds: Double, timestamp: Int) {
        expectEqual(context(at: seconds).timestamp, timestamp)
    }

    @Test(
        "adds a lifetime to the timestamp, none below zero and no endless one",
        arguments: [
            (.seconds(300), 1300), (.milliseconds(1900), 1001), (.zero, 1000),
            (.seconds(-300), 1000), (.seconds(Int64.max), 1_000_000_001_000),
        ] as [(Duration, Int)]
    )
    func expiry(lifetime: Duration, end: Int) {
        expectEqual(context(at: 1000).expiry(after: lifetime), end)
    }

    @Test("takes time and randomness from the runtime, by the server's clock")
    func freshness() throws {
        let made = try Simulation.run(seed: 3) { simulation in
            (0..<2).map { _ in SignatureFreshness(simulation.runtime, offset: -90) }
        }
        let again = try Simulation.run(seed: 3) { simulation in
            SignatureFreshness(simulation.runtime, offset: -90)
        }

        expectEqual(made[0].date, Simulation.startDate.addingTimeInterval(-90))
        expectEqual(made[0], again)
        expectTrue(made[0].nonce != made[1].nonce)
        expectTrue(made.allSatisfy { $0.nonce.count == 32 && $0.nonce.allSatisfy(\.isHexDigit) })
    }
}
