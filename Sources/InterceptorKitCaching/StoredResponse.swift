public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The head of a response as it is stored, and what has to be known to use it again.
public struct StoredResponse: Sendable {
    /// A field of the request that chose this response (RFC 9111 section 4.1).
    public struct Selector: Hashable, Sendable {
        /// The field's name in lower case.
        public let name: String
        /// What the request said, brought into one form; `nil` if it said nothing. Of a credential only
        /// its SHA-256.
        public let value: String?

        /// Creates a selector.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// Tells it from others under the same key.
    public let id: UInt64
    /// Under what it is stored.
    public let key: CacheKey
    /// What its request had to say, for each field that its `Vary` names, by name.
    public let selection: [Selector]
    /// How the request was answered.
    public let status: HTTP.Status
    /// The fields that are stored (RFC 9111 section 3.1).
    public let headers: HTTP.Headers
    /// When the request was sent that it answers, or that confirmed it last.
    public let requestDate: Date
    /// When the response to that request came.
    public let responseDate: Date

    let metadata: CacheMetadata

    /// Creates a stored response.
    /// - Parameters:
    ///   - id: Tells it from others under the same key.
    ///   - key: Under what it is stored.
    ///   - selection: What its request had to say, for each field that its `Vary` names.
    ///   - status: How the request was answered.
    ///   - headers: The fields that are stored.
    ///   - requestDate: When the request was sent.
    ///   - responseDate: When the response came.
    public init(
        id: UInt64,
        key: CacheKey,
        selection: [Selector] = [],
        status: HTTP.Status,
        headers: HTTP.Headers,
        requestDate: Date,
        responseDate: Date
    ) {
        self.id = id
        self.key = key
        self.selection = selection
        self.status = status
        self.headers = headers
        self.requestDate = requestDate
        self.responseDate = responseDate
        metadata = CacheMetadata(headers, responseDate: responseDate)
    }
}

extension StoredResponse: CustomStringConvertible {
    /// The status and the URL with its secrets redacted.
    public var description: String { "\(status) of \(Redaction.standard.url(key.url))" }
}

extension StoredResponse: CustomReflectable {
    /// The same, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

extension StoredResponse {
    /// What its head takes, in bytes, about: the texts and what surrounds them.
    var size: Int {
        let surroundings = 32
        return headers.reduce(key.url.utf8.count + key.partition.utf8.count + 8 * surroundings) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + surroundings
        }
            + selection.reduce(0) {
                $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + surroundings
            }
    }
}
