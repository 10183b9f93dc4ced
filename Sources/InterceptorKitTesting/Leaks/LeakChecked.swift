public import InterceptorKit

/// Something a test uses that can be left with work in it: a client, a server, a gate, a clock.
public protocol LeakChecked: Sendable {
    /// What is in it still, a line each; empty if it can be let go.
    var leftBehind: [String] { get }
}

extension Gate: LeakChecked {
    /// Who is held.
    public var leftBehind: [String] { held == 0 ? [] : ["\(held) held at the gate \"\(name)\""] }
}

extension HTTP.Client: LeakChecked {
    /// The calls and transfers under way, and the bodies that are held but neither read to their end
    /// nor let go of.
    public var leftBehind: [String] {
        (openCalls == 0 ? [] : ["\(openCalls) calls of a client under way"])
            + (openTransfers == 0 ? [] : ["\(openTransfers) transfers of a client under way"])
            + (openBodies == 0 ? [] : ["\(openBodies) bodies of a client's responses unread"])
    }
}

extension VirtualClock: LeakChecked {
    /// Who sleeps and until when.
    public var leftBehind: [String] { sleepers }
}

extension LoopbackServer: LeakChecked {
    /// The connections that are open.
    public var leftBehind: [String] {
        let count = openConnections
        return count == 0 ? [] : ["\(count) open connections to the server at \(origin)"]
    }
}

extension Simulation: LeakChecked {
    /// The tasks, waits and sleeps that have not ended; the body's own among them while it runs.
    public var leftBehind: [String] { pending }
}

/// Throws if anything is left in what a test used.
///
/// ```swift
/// try requireNothingLeft(in: server, gate, clock)
/// ```
///
/// A simulation checks itself when its body ends. Elsewhere call it at the end of a test, when what
/// the test closed has closed: a connection that is being closed is still open.
/// - Throws: ``LeftBehindError``, which lists everything.
public func requireNothingLeft(in checked: any LeakChecked...) throws(LeftBehindError) {
    let leftBehind = checked.flatMap { $0.leftBehind }
    guard leftBehind.isEmpty else { throw LeftBehindError(leftBehind: leftBehind) }
}

/// Something was left when a test ended.
public struct LeftBehindError: Error, Sendable, CustomStringConvertible {
    /// What was left, a line each.
    public var leftBehind: [String]

    /// Creates an error.
    public init(leftBehind: [String]) { self.leftBehind = leftBehind }

    /// Everything that was left.
    public var description: String {
        "The test left something behind; end it before the test ends:\n"
            + leftBehind.map { "- \($0)" }.joined(separator: "\n")
    }
}
