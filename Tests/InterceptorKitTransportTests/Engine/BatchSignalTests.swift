#if canImport(FoundationNetworking)
import Expectations
import InterceptorKitConcurrency
import Synchronization
import Testing

@testable import InterceptorKitTransport

@Suite("BatchSignal", .timeLimit(.minutes(10)))
struct BatchSignalTests {
    @Test("does each thing once, in order")
    func order() async {
        let signal = BatchSignal()
        let done = Lock<[Int]>([])

        await withCheckedContinuation { continuation in
            for number in 1...20 {
                signal.afterBatch {
                    done.withLock { $0.append(number) }
                    if number == 20 { continuation.resume() }
                }
            }
        }

        expectEqual(done.withLock(\.self), Array(1...20))
    }

    @Test("does what is asked for at a turn's end after the next one")
    func nested() async {
        let signal = BatchSignal()
        let done = Lock<[String]>([])

        await withCheckedContinuation { continuation in
            signal.afterBatch {
                signal.afterBatch {
                    done.withLock { $0.append("inner") }
                    continuation.resume()
                }
                done.withLock { $0.append("outer") }
            }
        }

        expectEqual(done.withLock(\.self), ["outer", "inner"])
    }
}
#endif
