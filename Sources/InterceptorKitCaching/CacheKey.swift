import InterceptorKit

/// The key of a stored response: its URL and its partition.
public struct CacheKey: Hashable, Sendable {
    /// The complete URL without its fragment; scheme and host are in lower case.
    public let url: String
    /// The partition: hexadecimal digits that separate users and reveal no credential; empty without one.
    public let partition: String

    /// Creates a key.
    /// - Parameters:
    ///   - url: The complete URL.
    ///   - partition: The partition, which separates users. Defaults to none.
    public init(url: String, partition: String = "") {
        self.url = url
        self.partition = partition
    }
}

extension CacheKey {
    /// Normalizes a URL for use in a key; `nil` for an incomplete URL.
    static func url(of url: HTTP.URL) -> String? {
        url.originText == nil ? nil : url.normalized.text
    }
}

extension CacheKey: CustomStringConvertible {
    /// The URL with its secrets redacted.
    public var description: String { Redaction.standard.url(url) }
}

extension CacheKey: CustomReflectable {
    /// The description alone, so that `dump` and debuggers show no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
