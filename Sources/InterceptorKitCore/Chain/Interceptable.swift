#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type of input that can be sent through a chain of interceptors.
///
/// Conform a type of your own with one line. Its ``Output`` is the result of a call, by default the type
/// itself:
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

    /// What events may say of an error of a call beside its type: its description without secrets.
    /// Defaults to `nil`, nothing, because only the input's type can know what is secret.
    static func redactedDescription(of error: any Error, on call: Call) -> String?
}

extension Interceptable {
    public static func redactedDescription(of error: any Error, on call: Call) -> String? { nil }
}

// Declared here so that two libraries never collide over them.
extension Int: Interceptable {}
extension String: Interceptable {}
extension Data: Interceptable {}
