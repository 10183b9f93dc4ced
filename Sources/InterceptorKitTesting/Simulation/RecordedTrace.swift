import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

final class RecordedTrace: Sendable {
    private let state = Lock<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func append(_ line: String) { state.withLock { $0.append(line) } }
}
