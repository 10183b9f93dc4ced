#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store for cookies between requests: in memory (``CookieJar``), in a keychain, or shared by a fleet.
///
/// A store cannot fail a call: one that cannot be reached has no cookies. Any number of calls may use it at
/// once.
public protocol CookieStore: Sendable {
    /// Returns the cookies to send with a request, in the order to send them; use `sent(to:at:)` to select
    /// and sort them.
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - date: The current date.
    nonisolated(nonsending) func cookies(for url: HTTP.URL, at date: Date) async -> [HTTP.Cookie]

    /// Stores the valid cookies that a response set.
    ///
    /// Each replaces one with the same name, domain and path; an expired one removes it.
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
