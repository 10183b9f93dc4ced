/// A setting of a ``CachePolicy`` that cannot work. Thrown when a pipeline is built.
public struct CachePolicyError: Error, Sendable, Hashable {
    /// Which setting, and what it may be, in whole sentences.
    public let message: String

    init(_ message: String) { self.message = message }
}

extension CachePolicyError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
