import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The activities that have begun and not ended, in order of beginning.
final class ActivityRegistry: Sendable {
    struct Entry: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct Line {
        let number: UInt64
        // A closure, because few runs ever show the text.
        let description: @Sendable () -> String
        var cancel: (@Sendable () -> Void)?
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var lines: [Line] = []
    }

    private let state = Lock(State())

    var open: [String] {
        let lines = state.withLock { $0.lines }
        return lines.map { $0.description() }
    }

    func begin(_ description: @escaping @Sendable () -> String) -> Entry {
        state.withLock { state in
            state.lastNumber += 1
            state.lines.append(Line(number: state.lastNumber, description: description))
            return Entry(number: state.lastNumber)
        }
    }

    /// Sets the closure that ends an entry; ignored if the entry has ended.
    func attach(_ cancel: @escaping @Sendable () -> Void, to entry: Entry) {
        state.withLock { state in
            guard let index = state.lines.lastIndex(where: { $0.number == entry.number }) else {
                return
            }
            state.lines[index].cancel = cancel
        }
    }

    func end(_ entry: Entry) {
        // The line is released outside the lock, together with its closures' captures.
        let line = state.withLock { state in
            let index = state.lines.firstIndex { $0.number == entry.number }
            return index.map { state.lines.remove(at: $0) }
        }
        withExtendedLifetime(line) {}
    }

    func cancelAll() {
        let lines = state.withLock { $0.lines }
        for line in lines { line.cancel?() }
    }
}

extension Simulation {
    /// Begins a wait of the current task, for code without a runtime at hand; `nil` outside a simulation.
    /// - Parameter what: Completes the sentence that begins with the task's name.
    static func beginWait(_ what: @escaping @autoclosure @Sendable () -> String) -> Runtime.Wait? {
        SimulationThread.executor?.waits.beginWait(what)
    }
}

extension ActivityRegistry {
    func beginWait(_ what: @escaping @Sendable () -> String) -> Runtime.Wait {
        let task = TaskLabel.current
        let entry = begin { "\(task) \(what())" }
        return Runtime.Wait { self.end(entry) }
    }
}
