/// A way of getting a URL's content, as something to be measured.
public struct Fetcher: Sendable {
    /// Gets what it was prepared for and returns the number of bytes; throws unless the status is 200.
    public typealias Fetch = @Sendable () async throws -> Int

    /// What figures are reported under.
    public let name: String
    /// Makes the request once, so that what is measured is sending it.
    public let prepare: @Sendable (_ url: String) throws -> Fetch
    /// Releases connections.
    public let close: @Sendable () -> Void

    /// Describes a way of getting a URL's content.
    public init(
        _ name: String,
        prepare: @escaping @Sendable (_ url: String) throws -> Fetch,
        close: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.prepare = prepare
        self.close = close
    }
}

/// A response that is not the one expected; figures would mean nothing.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
