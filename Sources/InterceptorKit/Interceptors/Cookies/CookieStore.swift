#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store that keeps cookies between requests: in memory (``CookieJar``), in a keychain, or shared by a fleet.
///
/// A store cannot fail a call: an unreachable store has no cookies. Any number of calls may use it at once.
public protocol CookieStore: Sendable {
    /// Returns the cookies to send with a request, in their order in the field; `sent(to:at:)` selects and sorts them.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - date: The current date.
    nonisolated(nonsending) func cookies(for url: HTTP.URL, at date: Date) async -> [HTTP.Cookie]

    /// Stores the valid cookies that a response set.
    ///
    /// Each cookie replaces one with the same name, domain and path; an expired cookie removes it.
    /// - Parameters:
    ///   - cookies: The cookies, in the order in which they were set.
    ///   - url: The URL of the request.
    ///   - date: The current date.
    nonisolated(nonsending) func store(
        _ cookies: [HTTP.Cookie],
        from url: HTTP.URL,
        at date: Date
    ) async
}
