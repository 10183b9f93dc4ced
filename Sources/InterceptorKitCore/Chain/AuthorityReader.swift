/// Reads the authority of inputs of any type, and the server that a call names in its place.
///
/// Keep one in an interceptor for any input: it checks once, not in each pass, whether a type is
/// ``AuthorityProviding``. The text is made again each time, because sharing earlier texts takes longer as
/// soon as calls run side by side or go to several authorities.
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

extension AuthorityReader where Input: Interceptable {
    /// The server that a chain's input goes to: the call's ``Call/authority`` if it is set, else the input's;
    /// `nil` if neither is known.
    ///
    /// Interceptors that keep state for each server, and see each attempt, read it so. Above a retry or
    /// where no server is chosen yet, it is the input's.
    public func callAsFunction(_ chain: InterceptorChain<Input>) -> String? {
        // The frame's own call, because being observed changes no value of it.
        chain.frame.call.authority ?? read(chain.frame.input)
    }

    /// The key of the state of a limit for a chain's input; see ``Call/limitPartition``.
    func limitKey(_ chain: InterceptorChain<Input>) -> String? {
        chain.frame.call.limitKey(to: read(chain.frame.input))
    }
}
