import InterceptorKit

/// Under what responses are stored: the URL that was asked for, and for whom.
public struct CacheKey: Hashable, Sendable {
    /// The complete URL without its fragment, scheme and host in lower case.
    public let url: String
    /// Whose responses these are: digits that tell partitions apart and give away no credential; empty
    /// where nothing does.
    public let partition: String

    /// Creates a key.
    /// - Parameters:
    ///   - url: The complete URL.
    ///   - partition: Tells apart who may be served. Defaults to nothing that does.
    public init(url: String, partition: String = "") {
        self.url = url
        self.partition = partition
    }
}

extension CacheKey {
    /// A URL as responses are stored under it; `nil` for one that is not complete.
    static func url(of url: HTTP.URL) -> String? {
        url.originText.map { $0 + url.requestTarget }
    }
}

extension CacheKey: CustomStringConvertible {
    /// The URL with its secrets redacted.
    public var description: String { Redaction.standard.url(url) }
}

extension CacheKey: CustomReflectable {
    /// The same, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
