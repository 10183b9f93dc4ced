import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A message that components are taken from: the signed message, or the request that led to it.
///
/// It is shared and caches parsed values, because a signature reads every component from it.
final class MessagePart: Sendable {
    enum Start: Sendable {
        /// - Parameter target: The request target if it is not the usual one.
        case request(HTTP.Method, HTTP.URL, target: String?)
        case response(HTTP.Status)
    }

    let start: Start
    let headers: HTTP.Headers
    let body: HTTP.Body
    // The positions of each name's lines; empty for a few lines, where a linear search is faster.
    private let indices: [String: [Int]]
    // Parsed once per field, because a signature may cover many members of one; `nil` if it is no dictionary.
    private let dictionaries = Lock<[String: HTTP.StructuredField.Dictionary?]>([:])

    init(_ request: HTTP.Request, target: String? = nil) {
        start = .request(request.method, request.url, target: target)
        headers = request.headers
        body = request.body
        indices = request.headers.indicesIfMany
    }

    init(_ response: HTTP.Response) {
        start = .response(response.status)
        headers = response.headers
        body = response.body
        indices = response.headers.indicesIfMany
    }

    func hasField(_ component: MessageComponent) -> Bool {
        fields(component).contains(component.name) || implied(component) != nil
    }

    func writeField(
        _ component: MessageComponent,
        to text: inout CanonicalWriter
    ) throws(SigningError) {
        guard component.parameters.isEmpty else {
            return text.append(try rewritten(component))
        }
        var isFound = false
        func write(_ value: String) {
            if isFound { text.append(", ") }
            text.append(value)
            isFound = true
        }
        if indices.isEmpty {
            for field in headers where HTTP.FieldSyntax.isSameName(field.name, component.name) {
                write(field.value)
            }
        } else {
            // The names of components, and so the keys here, are in lower case.
            for index in indices[component.name] ?? [] { write(headers[index].value) }
        }
        if isFound { return }
        guard let value = implied(component) else { throw .missing(component) }
        text.append(value)
    }

    /// Returns the value in the form that the component's parameters select.
    private func rewritten(_ component: MessageComponent) throws(SigningError) -> String {
        var lines =
            indices.isEmpty || component.has("tr")
            ? fields(component).values(component.name)
            : (indices[component.name] ?? []).map { headers[$0].value }
        if lines.isEmpty, let value = implied(component) { lines = [value] }
        guard !lines.isEmpty else { throw .missing(component) }
        if component.has("bs") {
            return lines.map { ":\(Data($0.utf8).base64EncodedString()):" }.joined(separator: ", ")
        }
        let text = lines.joined(separator: ", ")
        if let key = component.parameters["key"]?.string {
            return try StructuredRewriting.member(key, of: dictionary(text, component), component)
        }
        return component.has("sf") ? try StructuredRewriting.field(text, component) : text
    }

    private func dictionary(
        _ text: String,
        _ component: MessageComponent
    ) -> HTTP.StructuredField.Dictionary? {
        let name = component.has("tr") ? "\(component.name);tr" : component.name
        if let known = dictionaries.withLock({ $0[name] }) { return known }
        let dictionary = try? HTTP.StructuredField.Dictionary(parsing: text)
        dictionaries.withLock { $0[name] = .some(dictionary) }
        return dictionary
    }

    private func fields(_ component: MessageComponent) -> HTTP.Headers {
        component.has("tr") ? body.trailers ?? [:] : headers
    }

    /// The value of `Host` or `Content-Length` that the transport adds if the request has no such field.
    private func implied(_ component: MessageComponent) -> String? {
        guard component.name == "host" || component.name == "content-length",
            case .request(_, let url, _) = start, !component.has("tr")
        else { return nil }
        if component.name == "host" { return url.authority }
        guard let length = body.length, length > 0 else { return nil }
        return "\(length)"
    }
}

extension HTTP.Headers {
    fileprivate var indicesIfMany: [String: [Int]] {
        count > 32 ? Dictionary(grouping: indices) { self[$0].name.lowercased() } : [:]
    }
}
