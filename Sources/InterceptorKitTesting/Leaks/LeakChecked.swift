public import InterceptorKit

/// Something a test uses that can be left with work in it: a client, a server, a gate, a clock.
public protocol LeakChecked: Sendable {
    /// What is in it still, a line each; empty if it can be released.
    var leaks: [String] { get }
}

extension Gate: LeakChecked {
    /// Who is held.
    public var leaks: [String] { held == 0 ? [] : ["\(held) held at the gate \"\(name)\""] }
}

extension HTTP.Client: LeakChecked {
    /// The calls and transfers under way, and the bodies that are held but neither read to their end
    /// nor released.
    public var leaks: [String] {
        (openCalls == 0 ? [] : ["\(openCalls) calls of a client under way"])
            + (openTransfers == 0 ? [] : ["\(openTransfers) transfers of a client under way"])
            + (openBodies == 0 ? [] : ["\(openBodies) bodies of a client's responses unread"])
    }
}

extension VirtualClock: LeakChecked {
    /// Who sleeps and until when.
    public var leaks: [String] { sleepers }
}

extension LoopbackServer: LeakChecked {
    /// The connections that are open.
    public var leaks: [String] {
        let count = openConnections
        return count == 0 ? [] : ["\(count) open connections to the server at \(origin)"]
    }
}

extension Simulation: LeakChecked {
    /// The tasks, waits and sleeps that have not ended; the body's own among them while it runs.
    public var leaks: [String] { pending }
}

/// Throws if anything is left in what a test used.
///
/// ```swift
/// try requireNoLeaks(in: server, gate, clock)
/// ```
///
/// A simulation checks itself when its body ends. Elsewhere call it at the end of a test, when what
/// the test closed has closed: a connection that is being closed is still open.
/// - Throws: ``LeakError``, which lists everything.
public func requireNoLeaks(in checked: any LeakChecked...) throws(LeakError) {
    let leaks = checked.flatMap { $0.leaks }
    guard leaks.isEmpty else { throw LeakError(leaks: leaks) }
}

/// Something was left when a test ended.
public struct LeakError: Error, Sendable, CustomStringConvertible {
    /// What was left, a line each.
    public var leaks: [String]

    /// Creates an error.
    public init(leaks: [String]) { self.leaks = leaks }

    /// Everything that was left.
    public var description: String {
        "The test left something behind; end it before the test ends:\n"
            + leaks.map { "- \($0)" }.joined(separator: "\n")
    }
}
