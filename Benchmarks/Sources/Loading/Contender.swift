/// Something that can bear a load: a ``Fetcher``, or a program of another kind.
public protocol Contender: Sendable {
    /// What figures are reported under.
    var name: String { get }

    /// Bears a load for a time.
    func bear(_ load: Load, for duration: Duration) async throws -> Sample
}
