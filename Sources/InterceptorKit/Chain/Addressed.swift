/// An input that knows where it goes.
///
/// What is kept for each destination (whether it fails, how much it may be asked) is kept by this.
public protocol Addressed: Sendable {
    /// Where it goes, as in `https://api.example.com`; `nil` if nowhere yet.
    var authority: String? { get }
}
