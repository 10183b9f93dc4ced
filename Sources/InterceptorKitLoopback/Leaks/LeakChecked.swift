public import InterceptorKit

/// An object in a test that may end with work left in it: a client, a server, a gate, a clock.
public protocol LeakChecked: Sendable {
    /// The work left in it, one line each; empty if it can be released.
    var leaks: [String] { get }
}

extension HTTP.Client: LeakChecked {
    /// The calls and transfers under way, and the bodies that are held but neither read to their end nor released.
    public var leaks: [String] {
        (openCalls == 0 ? [] : ["\(openCalls) calls of a client under way"])
            + (openTransfers == 0 ? [] : ["\(openTransfers) transfers of a client under way"])
            + (openBodies == 0 ? [] : ["\(openBodies) bodies of a client's responses unread"])
    }
}

/// Throws if any work is left in these objects.
///
/// ```swift
/// try requireNoLeaks(in: server, gate, clock)
/// ```
///
/// A simulation checks itself when its body ends. Elsewhere, call this at the end of a test, when everything that the
/// test closes has finished closing: a connection that is being closed is still open.
/// - Throws: ``LeakError``, which lists everything.
public func requireNoLeaks(in checked: any LeakChecked...) throws(LeakError) {
    let leaks = checked.flatMap { $0.leaks }
    guard leaks.isEmpty else { throw LeakError(leaks: leaks) }
}

/// An error for work that was left when a test ended.
public struct LeakError: Error, Sendable, CustomStringConvertible {
    /// The work that was left, one line each.
    public var leaks: [String]

    /// Creates an error.
    public init(leaks: [String]) { self.leaks = leaks }

    /// All work that was left.
    public var description: String {
        "The test left something behind; end it before the test ends:\n"
            + leaks.map { "- \($0)" }.joined(separator: "\n")
    }
}
