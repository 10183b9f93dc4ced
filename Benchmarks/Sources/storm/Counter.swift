import Synchronization

/// A number that any thread may add to.
///
/// Atomic and not locked, because Thread Sanitizer does not see what `Mutex` does on Linux.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    /// Adds a number.
    /// - Returns: The count before.
    @discardableResult
    func add(_ number: Int = 1) -> Int {
        value.add(number, ordering: .acquiringAndReleasing).oldValue
    }
}
