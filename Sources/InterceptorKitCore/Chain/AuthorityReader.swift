/// Reads the authority of inputs of any type.
///
/// An interceptor for any input keeps one, because whether a type is ``AuthorityProviding`` is asked once then
/// and not in each pass. The text itself is made again each time: to keep and share those read before
/// takes longer as soon as calls run side by side or go to several authorities.
public struct AuthorityReader<Input: Sendable>: Sendable {
    private let read: @Sendable (Input) -> String?

    /// Creates a reader of ``AuthorityProviding/authority``. It returns `nil` if `Input` doesn't conform.
    public init() {
        guard let type = Input.self as? any AuthorityProviding.Type,
            let read = Self.reader(of: type)
        else {
            read = { _ in nil }
            return
        }
        self.read = read
    }

    private init(_ read: @escaping @Sendable (Input) -> String?) { self.read = read }

    /// The authority of an input; `nil` if it isn't known yet or the type has none.
    public func callAsFunction(_ input: Input) -> String? { read(input) }

    // `Known` is `Input`, which the compiler does not know; so the cast succeeds.
    private static func reader<Known: AuthorityProviding>(
        of type: Known.Type
    ) -> (@Sendable (Input) -> String?)? {
        let reader = AuthorityReader<Known> { $0.authority }
        return (reader as? AuthorityReader<Input>)?.read
    }
}
