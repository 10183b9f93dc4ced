import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitStreaming

@Suite("Reconnection")
struct ReconnectionTests {
    @Test(
        "a connection that took too long is worth another one",
        arguments: [.attempt, .total, .bodyIdle, .bodyRate, .bodyTotal] as [TimeoutError.Code]
    )
    func timeouts(code: TimeoutError.Code) {
        let error = TimeoutError(code, limit: .seconds(60))

        let reconnection = Reconnection(after: error, date: Date(timeIntervalSince1970: 0))

        expectTrue(reconnection.isWorthwhile)
        expectEqual(reconnection.retryAfter, nil)
    }
}
