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
public protocol Interceptable: Sendable {
    /// The result of a call, which comes back up the chain.
    associatedtype Output: Sendable = Self

    /// Returns the description of an error without secrets, for events. Defaults to `nil`, which shows only
    /// the error's type, because only the input's type knows what is secret.
    static func redactedDescription(of error: any Error, on call: Call) -> String?
}

extension Interceptable {
    public static func redactedDescription(of error: any Error, on call: Call) -> String? { nil }
}

// Declared here so that two libraries never collide over them.
extension Int: Interceptable {}
extension String: Interceptable {}
extension Data: Interceptable {}
