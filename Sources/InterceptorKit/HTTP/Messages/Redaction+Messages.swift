#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Redaction {
    /// Returns the fields, with the values of all but the listed ones hidden.
    /// - Parameters:
    ///   - headers: The fields.
    ///   - names: Fields to hide even if they are listed, such as the call's ``Call/credentialFields``. Defaults to
    ///     none.
    public func headers(
        _ headers: HTTP.Headers,
        hiding names: [String] = []
    ) -> [(name: String, value: String)] {
        headers.map { field in
            let name = field.name.lowercased()
            guard !names.contains(where: { HTTP.FieldSyntax.isSameName($0, name) }) else {
                return (field.name, Redaction.placeholder)
            }
            if shownFields.contains(name) { return (field.name, text(field.value)) }
            if urlFields.contains(name) { return (field.name, url(field.value)) }
            return (field.name, Redaction.placeholder)
        }
    }

    /// Returns a message's body with its secrets hidden; see ``body(_:mediaType:contentCoding:)``.
    /// - Parameters:
    ///   - bytes: The content.
    ///   - headers: The message's fields, for `Content-Type` and `Content-Encoding`.
    public func body(_ bytes: Data, of headers: HTTP.Headers) -> ShownBody {
        body(
            bytes,
            mediaType: headers["Content-Type"],
            contentCoding: headers["Content-Encoding"]
        )
    }
}
