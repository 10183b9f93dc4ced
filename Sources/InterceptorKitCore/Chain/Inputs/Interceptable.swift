#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of input that can be sent through a chain of interceptors.
///
/// Conform your own type with one line. Its ``Output`` is the result of a call, by default the type itself:
///
/// ```swift
/// struct Job: Interceptable {
///     typealias Output = Receipt
///     var name: String
/// }
/// ```
///
/// A class that conforms is `final`, since ``defaults`` names the type itself.
public protocol Interceptable: Sendable {
    /// The result of a call, which comes back up the chain.
    associatedtype Output: Sendable = Self

    /// The rules of interceptors that are not given their own. Defaults to the rules for any input; see
    /// ``InputDefaults/init(classifier:health:isRepeatable:isHedgeable:rateHint:)``.
    static var defaults: InputDefaults<Self> { get }

    /// Returns the server that an input is sent to, as in `https://api.example.com`; `nil`, the default, if
    /// it isn't known.
    ///
    /// Interceptors that keep state for each server, such as circuit breakers and rate limits, keep it by
    /// this authority. Where several servers stand behind it, ``Call/authority`` tells them apart.
    static func authority(of input: Self) -> String?

    /// Returns whether an input can be sent more than once. Defaults to `true`.
    static func isReplayable(_ input: Self) -> Bool

    /// Returns the description of an error without secrets, for events. Defaults to `nil`, which shows only
    /// the error's type, because only the input's type knows what is secret.
    static func redactedDescription(of error: any Error, on call: Call) -> String?
}

extension Interceptable {
    public static var defaults: InputDefaults<Self> { InputDefaults() }

    public static func authority(of input: Self) -> String? { nil }

    public static func isReplayable(_ input: Self) -> Bool { true }

    public static func redactedDescription(of error: any Error, on call: Call) -> String? { nil }
}

// Declared here so that two libraries never collide over them.
extension Int: Interceptable {}
extension String: Interceptable {}
extension Data: Interceptable {}
