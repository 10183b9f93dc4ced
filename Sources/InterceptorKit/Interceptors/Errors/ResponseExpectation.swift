/// The requirements of a successful response.
struct ResponseExpectation: Sendable {
    /// An unmet requirement, as a code and as the end of a sentence.
    struct Flaw: Sendable, Hashable {
        let code: ResponseError.Code
        let text: String
    }

    let contentTypes: [String]
    let fields: [String]
    let members: [String]

    func flaw(in response: HTTP.Response) -> Flaw? {
        if let name = fields.first(where: { !response.headers.contains($0) }) {
            return Flaw(code: .missingField, text: "without the field \(name)")
        }
        guard response.hasContent, !contentTypes.isEmpty else { return nil }
        guard let type = response.headers.mediaType else {
            return Flaw(code: .contentType, text: "without a media type")
        }
        if contentTypes.contains(where: { HTTP.mediaType(type, matches: $0) }) { return nil }
        let expected = contentTypes.joined(separator: " or ")
        return Flaw(
            code: .contentType,
            text: "with \(HTTP.printable(type)) where \(expected) was expected"
        )
    }

    func flaw(in content: JSONValue?, _ seen: HTTP.Body.Beginning) -> Flaw? {
        guard let content else {
            let reason =
                seen.whole == nil
                ? "with more content than is inspected" : "with content that isn't valid JSON"
            return Flaw(code: .malformed, text: reason)
        }
        let missing = members.first { path in
            let found = content.value(at: path)
            return found == nil || found == .null
        }
        return missing.map { Flaw(code: .missingMember, text: "without \($0) in its content") }
    }
}

extension HTTP.Response {
    // RFC 9110 section 6.4.1: these responses have no content, whatever their fields say.
    var hasContent: Bool {
        request?.method != .head && ![204, 205, 304].contains(status) && !body.isEmpty
    }
}
