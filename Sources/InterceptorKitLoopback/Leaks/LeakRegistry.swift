import InterceptorKitConcurrency
import Synchronization

/// Knows what was made during a test, so that nobody has to list it at the end.
package final class LeakRegistry: Sendable {
    /// The current test's, if it has one.
    @TaskLocal package static var current: LeakRegistry?

    private struct Entry {
        // Weak: what is released holds nothing any more.
        weak var checked: (any LeakChecked & AnyObject)?
    }

    private let entries = Lock<[Entry]>([])

    package init() {}

    /// Has something checked when the current test ends; does nothing where none is.
    package static func watch(_ checked: any LeakChecked & AnyObject) {
        current?.entries.withLock { $0.append(Entry(checked: checked)) }
    }

    /// What is left now, in the order it was made.
    package var leaks: [String] {
        entries.withLock { $0.compactMap { $0.checked } }.flatMap { $0.leaks }
    }
}
