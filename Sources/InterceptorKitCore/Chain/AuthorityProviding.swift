/// An input that can name the server it is sent to.
///
/// Interceptors that keep state for each server, such as circuit breakers and rate limits, keep it by
/// this authority. Where several servers stand behind it, ``Call/authority`` tells them apart.
public protocol AuthorityProviding: Sendable {
    /// The server, as in `https://api.example.com`; `nil` if it isn't known yet.
    var authority: String? { get }
}
