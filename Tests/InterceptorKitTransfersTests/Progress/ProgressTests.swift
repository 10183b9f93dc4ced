import Expectations
import InterceptorKit
import InterceptorKitTransfers
import Testing

@Suite("HTTP.Progress")
struct ProgressTests {
    @Test("leaves fraction and time unknown if the total is unknown")
    func unknown() {
        let nothing = HTTP.Progress(completedBytes: 5, totalBytes: nil)
        let empty = HTTP.Progress(completedBytes: 0, totalBytes: 0)
        let still = HTTP.Progress(completedBytes: 1, totalBytes: 2, bytesPerSecond: 0)
        let crawl = HTTP.Progress(completedBytes: 1, totalBytes: .max, bytesPerSecond: 1e-300)

        expectTrue(nothing.fraction == nil && nothing.timeLeft == nil)
        expectEqual("\(nothing)", "5 bytes")
        expectTrue(empty.fraction == 1 && empty.timeLeft == .zero)
        expectEqual(still.timeLeft, nil)
        expectEqual(crawl.timeLeft, .seconds(1e9))
    }
}
