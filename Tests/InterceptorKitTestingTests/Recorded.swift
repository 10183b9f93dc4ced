import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// Values a test noted while it ran, for the assertions after it.
final class Recorded<Value: Sendable>: Sendable {
    private let state = Lock<[Value]>([])

    var values: [Value] { state.withLock(\.self) }

    func note(_ value: Value) { state.withLock { $0.append(value) } }
}
