#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps cookies between requests: in memory (``CookieJar``), in a key chain, shared by a fleet.
///
/// A store cannot fail a call: one that cannot be reached has no cookies. It is asked by any number of
/// calls at once.
public protocol CookieStore: Sendable {
    /// The cookies to send with a request, in the order to send them; see `sent(to:at:)`, which picks
    /// and sorts them.
    /// - Parameters:
    ///   - url: What is asked for.
    ///   - date: The present.
    nonisolated(nonsending) func cookies(for url: HTTP.URL, at date: Date) async -> [Cookie]

    /// Takes cookies that a response set and that may be kept.
    ///
    /// Each replaces the one of the same name, domain and path; one that has ended removes it.
    /// - Parameters:
    ///   - cookies: In the order they were set.
    ///   - url: What was asked for.
    ///   - date: The present.
    nonisolated(nonsending) func store(
        _ cookies: [Cookie],
        from url: HTTP.URL,
        at date: Date
    ) async
}
