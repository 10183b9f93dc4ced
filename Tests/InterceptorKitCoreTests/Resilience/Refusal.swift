/// A change that makes settings refuse to work, and what they say then.
struct Refusal<Policy>: Sendable {
    let change: @Sendable (inout Policy) -> Void
    let text: String

    init(_ change: @escaping @Sendable (inout Policy) -> Void, _ text: String) {
        self.change = change
        self.text = text
    }
}
