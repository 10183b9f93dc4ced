/// An input that knows where it goes.
///
/// What is kept for each destination (whether it fails, how much it may be asked) is kept by this.
public protocol Addressed: Sendable {
    /// Where it goes, as in `https://api.example.com`; `nil` if nowhere yet.
    var authority: String? { get }

    /// Whether it obviously goes there, told without making the text of ``authority``. May say `false`
    /// where finding out would take as long as that. Defaults to `false`.
    func obviouslyGoes(to authority: String) -> Bool
}

extension Addressed {
    public func obviouslyGoes(to authority: String) -> Bool { false }
}
