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
/// - Throws: ``TestKitError``, which lists everything.
public func requireNoLeaks(in checked: any LeakChecked...) throws(TestKitError) {
    let leaks = checked.flatMap { $0.leaks }
    guard leaks.isEmpty else { throw TestKitError(leaks: leaks) }
}
