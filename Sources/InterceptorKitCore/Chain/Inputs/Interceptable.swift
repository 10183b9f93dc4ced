#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of input that can be sent through a chain of interceptors.
///
/// Conform your own type with one line. ``Output`` is the result of a call, by default the type itself:
///
/// ```swift
/// struct Job: Interceptable {
///     typealias Output = Receipt
///     var name: String
/// }
/// ```
///
/// A class that conforms must be `final`, because ``defaults`` names the type itself.
public protocol Interceptable: Sendable {
    /// The result of a call, which travels back up the chain.
    associatedtype Output: Sendable = Self

    /// The rules of interceptors without their own rules. Defaults to the rules for any input; see
    /// ``InputDefaults/init(classifier:health:isRepeatable:isHedgeable:rateHint:)``.
    static var defaults: InputDefaults<Self> { get }

    /// Returns the server that an input is sent to, as in `https://api.example.com`. Defaults to `nil`: unknown.
    ///
    /// Interceptors with state for each server, such as circuit breakers and rate limits, use this authority as the
    /// key. If several servers share it, ``Call/authority`` tells them apart.
    static func authority(of input: Self) -> String?

    /// Returns whether an input can be sent more than once. Defaults to `true`.
    static func isReplayable(_ input: Self) -> Bool

    /// Returns the description of an error without secrets, for events. Defaults to `nil`, which shows only the error's
    /// type, because only the input's type knows which parts are secret.
    static func redactedDescription(of error: any Error, on call: Call) -> String?
}

extension Interceptable {
    public static var defaults: InputDefaults<Self> { InputDefaults() }

    public static func authority(of input: Self) -> String? { nil }

    public static func isReplayable(_ input: Self) -> Bool { true }

    public static func redactedDescription(of error: any Error, on call: Call) -> String? { nil }
}

// Declared here so that two libraries never declare the same conformance.
extension Int: Interceptable {}
extension String: Interceptable {}
extension Data: Interceptable {}

/// An input or output with a summary in a few words without secrets.
///
/// Events show the summary where a call begins and where a stage ends.
public protocol Summarizable: Sendable {
    /// Returns the summary, as in `503 Service Unavailable`. The text of an ``Event/Value/code(_:text:)`` is made on
    /// demand.
    func summary(on call: Call) -> Event.Value

    /// Returns further attributes, redacted as the call requires, for the events of sends. Defaults to none.
    func attributes(on call: Call) -> Event.Attributes
}

extension Summarizable {
    public func attributes(on call: Call) -> Event.Attributes { [:] }
}

/// An output that can record that it is a fallback.
///
/// A ``FallbackInterceptor`` sets ``fallbackReason`` on the output that it returns in place of a failure. Outputs that
/// do not conform stay unchanged.
public protocol FallbackReporting: Sendable {
    /// The failure that this output replaces, as in `503 Service Unavailable`; `nil` for an output of the server.
    var fallbackReason: String? { get set }
}

/// An output that keeps a resource open until it is read or released, such as a response's body.
public protocol Discardable: Sendable {
    /// Whether the output still keeps a resource open. Defaults to `true`.
    var holdsOpen: Bool { get }

    /// Releases the output. It may read a little first so that the connection can be reused.
    func discard() async
}

extension Discardable {
    public var holdsOpen: Bool { true }

    /// Releases the output within a limited time, and reads a little so that the connection can be reused.
    ///
    /// Use it before you send again and drop an output. It returns early if the task is cancelled.
    /// - Parameters:
    ///   - limit: The longest time that the release may take. Defaults to 100 ms.
    ///   - runtime: The call's clock.
    public func discard(within limit: Duration = .milliseconds(100), on runtime: Runtime) async {
        guard holdsOpen else { return }
        await withTaskGroup { group in
            group.addTask { await discard() }
            group.addTask { try? await runtime.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}

extension Result {
    /// Releases an output that keeps a resource open, within the default time limit.
    nonisolated(nonsending) func discard(on runtime: Runtime) async {
        guard case .success(let output) = self, let open = output as? any Discardable else {
            return
        }
        await open.discard(on: runtime)
    }
}

/// An input that reports how much of it a transport has sent.
///
/// Conform an ``Interceptable`` type to it to get events about the progress of a send.
public protocol ObservedInput: Sendable {
    /// Prepares the call to report the progress of the send, just before the transport is called.
    /// - Parameter call: The call that the transport gets.
    func observe(on call: inout Call)
}

/// An output that arrives after the transport returned, and reports its progress.
///
/// Conform an output to it to get events while it arrives.
public protocol ObservedOutput: Sendable {
    /// Returns the same output, which now reports its arrival and its end to the call.
    /// - Parameter call: The call that the transport got.
    func observed(on call: Call) -> Self
}
