#if canImport(FoundationEssentials)
public import FoundationEssentials

extension HTTP.URL {
    /// Creates a URL from a Foundation URL.
    /// - Throws: A ``HTTP/RequestError`` if it is neither an http or https URL nor relative.
    public init(_ url: FoundationEssentials.URL) throws(HTTP.RequestError) {
        try self.init(string: url.absoluteString)
    }
}
#else
public import Foundation

extension HTTP.URL {
    /// Creates a URL from a Foundation URL.
    /// - Throws: A ``HTTP/RequestError`` if it is neither an http or https URL nor relative.
    public init(_ url: Foundation.URL) throws(HTTP.RequestError) {
        try self.init(string: url.absoluteString)
    }
}
#endif
