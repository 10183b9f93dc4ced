public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The head of a stored response, with the data needed to use the response again.
public struct StoredResponse: Sendable {
    /// A request field and value that select this response (RFC 9111 section 4.1).
    public struct Selector: Hashable, Sendable {
        /// The field's name in lower case.
        public let name: String
        /// The request's value in normal form; `nil` if the field was absent. For a credential, its SHA-256.
        public let value: String?

        /// Creates a selector.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The response's identity under its key.
    public let id: UInt64
    /// The key under which it is stored.
    public let key: CacheKey
    /// The request's values of the fields that `Vary` names, by name.
    public let selection: [Selector]
    /// The status.
    public let status: HTTP.Status
    /// The stored header fields (RFC 9111 section 3.1).
    public let headers: HTTP.Headers
    /// The date of the request for this response, or of the last request that confirmed it.
    public let requestDate: Date
    /// The date of the response to that request.
    public let responseDate: Date

    let metadata: CacheMetadata

    /// Creates a stored response.
    /// - Parameters:
    ///   - id: The response's identity under its key.
    ///   - key: The key under which it is stored.
    ///   - selection: The request's values of the fields that `Vary` names.
    ///   - status: The status.
    ///   - headers: The stored header fields.
    ///   - requestDate: The date of the request.
    ///   - responseDate: The date of the response.
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
    /// The description alone, so that `dump` and debuggers show no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

extension StoredResponse {
    /// The approximate size of the head in memory, in bytes: the texts and their overhead.
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
