/// Reads where an input goes, if its type can tell.
///
/// An interceptor for any input keeps one, because whether a type is ``Addressed`` is asked once then
/// and not in each passage. The text itself is made anew each time: to keep and share those read before
/// takes longer as soon as calls run side by side or go to several authorities.
public struct AuthorityReader<Input: Sendable>: Sendable {
    private let read: @Sendable (Input) -> String?

    /// Creates a reader: of ``Addressed/authority``, or of `nil` always if `Input` is not addressed.
    public init() {
        guard let type = Input.self as? any Addressed.Type, let read = Self.reader(of: type) else {
            read = { _ in nil }
            return
        }
        self.read = read
    }

    private init(_ read: @escaping @Sendable (Input) -> String?) { self.read = read }

    /// Where an input goes; `nil` if nowhere yet or if it cannot tell.
    public func callAsFunction(_ input: Input) -> String? { read(input) }

    // `Known` is `Input`, which the compiler does not know; so the cast succeeds.
    private static func reader<Known: Addressed>(
        of type: Known.Type
    ) -> (@Sendable (Input) -> String?)? {
        let reader = AuthorityReader<Known> { $0.authority }
        return (reader as? AuthorityReader<Input>)?.read
    }
}
