/// Where inputs go, without making the text anew for each: the last few answers are kept.
final class Destinations<Input: Interceptable>: Sendable {
    private let read = AuthorityReader<Input>()
    private let comparison: Comparison<Input>?
    private let recent = Lock<[String]>([])

    init() {
        let type = Input.self as? any Addressed.Type
        comparison = type.flatMap { Self.comparison(for: $0) }
    }

    /// Where an input goes; `nil` if it does not say.
    func authority(of input: Input) -> String? {
        guard let comparison else { return nil }
        // Looked through outside the lock, because an input's type may be anybody's.
        let known = recent.withLock { $0 }
        for authority in known where comparison.isEqual(input, authority) { return authority }
        guard let authority = read(input) else { return nil }
        recent.withLock { recent in
            guard !recent.contains(authority) else { return }
            recent.insert(authority, at: 0)
            if recent.count > 8 { recent.removeLast() }
        }
        return authority
    }

    // `Known` is `Input`, which the compiler does not know; so the cast succeeds.
    private static func comparison<Known: Addressed>(
        for type: Known.Type
    ) -> Comparison<Input>? {
        Comparison<Known> { $0.obviouslyGoes(to: $1) } as? Comparison<Input>
    }
}

private struct Comparison<Input: Sendable>: Sendable {
    let isEqual: @Sendable (Input, String) -> Bool

    init(_ isEqual: @escaping @Sendable (Input, String) -> Bool) { self.isEqual = isEqual }
}
