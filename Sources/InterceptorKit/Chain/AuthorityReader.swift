import Synchronization

/// Reads where an input goes, if its type can tell.
///
/// An interceptor for any input keeps one, because whether a type is ``Addressed`` is asked once then
/// and not in each passage. It also keeps the first few texts it read, and hands those out where an
/// input obviously goes there: a client's calls go to few authorities, and each would make the text anew.
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
        let known = KnownAuthorities()
        let reader = AuthorityReader<Known> { known.authority(of: $0) }
        return (reader as? AuthorityReader<Input>)?.read
    }
}

/// A short list that only grows, so that it is read without a lock.
@safe
private final class KnownAuthorities: Sendable {
    @safe
    private final class Entry: Sendable {
        let authority: String
        // Once there, it stays as long as this entry.
        private let following = unsafe Atomic<Unmanaged<Entry>?>(nil)

        init(_ authority: String) { self.authority = authority }

        deinit { unsafe following.load(ordering: .acquiring)?.release() }

        var next: Entry? {
            unsafe following.load(ordering: .acquiring)?.takeUnretainedValue()
        }

        /// Makes an entry the next one unless there is one.
        /// - Returns: The next one.
        func append(_ entry: Entry) -> Entry {
            let retained = unsafe Unmanaged.passRetained(entry)
            let (isNext, present) = unsafe following.compareExchange(
                expected: nil,
                desired: retained,
                ordering: .acquiringAndReleasing
            )
            guard !isNext, let present = unsafe present else { return entry }
            unsafe retained.release()
            return unsafe present.takeUnretainedValue()
        }
    }

    private static let limit = 8

    private let head = Entry("")

    func authority(of input: some Addressed) -> String? {
        var entry = head.next
        while let known = entry {
            if input.obviouslyGoes(to: known.authority) { return known.authority }
            entry = known.next
        }
        guard let authority = input.authority else { return nil }
        add(authority)
        return authority
    }

    // Unless it is there or the list is full.
    private func add(_ authority: String) {
        let entry = Entry(authority)
        var place = head
        for _ in 0..<Self.limit {
            place = place.append(entry)
            if place === entry || place.authority == authority { return }
        }
    }
}
