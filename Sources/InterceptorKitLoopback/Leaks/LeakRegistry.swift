import InterceptorKitConcurrency
import Synchronization

/// The objects created during a test, so that nobody has to list them at the end.
package final class LeakRegistry: Sendable {
    /// The registry of the current test, if it has one.
    @TaskLocal package static var current: LeakRegistry?

    private struct Entry {
        // Weak, because a released object holds nothing any more.
        weak var checked: (any LeakChecked & AnyObject)?
    }

    private let entries = Lock<[Entry]>([])

    package init() {}

    /// Registers an object for the check at the end of the current test; does nothing without a registry.
    package static func watch(_ checked: any LeakChecked & AnyObject) {
        current?.entries.withLock { $0.append(Entry(checked: checked)) }
    }

    /// The work left now, in the order of creation.
    package var leaks: [String] {
        entries.withLock { $0.compactMap { $0.checked } }.flatMap { $0.leaks }
    }
}
