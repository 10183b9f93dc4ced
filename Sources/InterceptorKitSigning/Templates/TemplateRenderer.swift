import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source of a template's values: the request, the key, the time and the nonce.
struct TemplateRenderer {
    var request: HTTP.Request
    let keyID: String
    let token: String
    var secret: [UInt8]
    var milliseconds: Int
    var nonce: String
    var bodyHash: HashAlgorithm.Digest?
    var signature: [UInt8] = []
    /// The elements for the field that lists elements.
    var elements: [HTTP.FormPair] = []
    /// The field that lists elements, and the word before its first element.
    var list: (field: String, scheme: String)?

    init(_ request: HTTP.Request, _ context: SigningContext) throws {
        self.request = request
        keyID = context.key.id
        token = context.key.token ?? ""
        secret = try context.key.secret.bytes
        // Rejects dates outside the years 1 to 9999.
        _ = try SigningTimestamp(context.date)
        milliseconds = Int(exactly: (context.date.timeIntervalSince1970 * 1000).rounded()) ?? 0
        nonce = context.nonce
        bodyHash = context.bodyHash
    }

    func bytes(of template: SignatureTemplate) throws -> [UInt8] {
        if template.pieces.count == 1, case .value(let value) = template.pieces[0] {
            return try self.bytes(of: value)
        }
        var bytes: [UInt8] = []
        for piece in template.pieces {
            switch piece {
            case .literal(let text): bytes += text.utf8
            case .value(let value): bytes += try self.bytes(of: value)
            }
        }
        return bytes
    }

    private func bytes(of value: SignatureValue.Kind) throws -> [UInt8] {
        switch value {
        case .secret: return secret
        case .body: return Array(try body())
        case .base64(let template):
            var text = CanonicalWriter(capacity: 128)
            text.appendBase64(try bytes(of: template))
            return text.bytes
        case .encoded(let template):
            let plain = try bytes(of: template)
            return plain.allSatisfy(PercentEncoding.isUnreserved)
                ? plain : CanonicalWriter(encoding: plain).bytes
        case .uppercased(let template):
            return try bytes(of: template).map { $0 &- UInt8(ascii: "a") < 26 ? $0 ^ 0x20 : $0 }
        case .hash(let algorithm, let template, let encoding):
            let digest = algorithm.hash(try bytes(of: template))
            return encoding.text(Array(digest))
        case .bodyHash(let algorithm, let encoding, let skipsForms):
            if skipsForms, request.isForm || request.body.isEmpty { return [] }
            return encoding.text(Array(try digest(algorithm)))
        case .fieldLines(let covered, let hasHost, let isLowercase, let sortsValues):
            var text = CanonicalWriter()
            var fields = try fields(covered, hasHost: hasHost)
            if sortsValues { fields.sortValues() }
            fields.writeLines(to: &text, isSqueezed: false)
            if isLowercase { text.lowercase(from: 0) }
            return text.bytes
        case .fieldNames(let fields, let hasHost):
            var text = CanonicalWriter(capacity: 64)
            try self.fields(fields, hasHost: hasHost).writeNames(to: &text)
            return text.bytes
        case .parameters(let parameters):
            return parameters.text(of: try pairs(from: parameters.sources))
        case .signature: return signature
        default:
            return Array(text(of: value).utf8)
        }
    }

    private func fields(_ fields: SignedFields, hasHost: Bool) throws -> CanonicalFields {
        let host = hasHost ? try CanonicalTarget(request.url).authority : nil
        return CanonicalFields(of: request, fields, host: host)
    }

    /// The values whose rendering cannot fail.
    private func text(of value: SignatureValue.Kind) -> String {
        let url = request.url
        return switch value {
        case .method: request.method.rawValue
        case .authority: url.authority ?? ""
        case .url: String(url.text.beginning(before: "#"))
        case .baseURL: (url.origin?.description ?? "") + (url.path.isEmpty ? "/" : url.path)
        case .path: url.path.isEmpty ? "/" : url.path
        case .query: url.query ?? ""
        case .target: url.requestTarget
        case .field(let name): request.headers[name] ?? ""
        case .keyID: keyID
        case .token: token
        case .nonce: nonce
        case .time(let format): format.text(milliseconds)
        default: ""
        }
    }

    func body() throws -> Data {
        guard let data = request.body.inMemory else {
            throw SigningError(
                .unsignableBody,
                "The body is not in memory, and the scheme signs its bytes. Give the body as bytes or "
                    + "text, or use a scheme that signs its hash."
            )
        }
        return data
    }

    private func digest(_ algorithm: HashAlgorithm) throws -> HashAlgorithm.Digest {
        if let bodyHash, bodyHash.count == algorithm.digestSize { return bodyHash }
        return algorithm.hash(try body())
    }

    private func pairs(from sources: RequestParameters.Sources) throws -> [HTTP.FormPair] {
        var pairs: [HTTP.FormPair] = []
        if sources.contains(.query) { pairs += request.queryPairs }
        if sources.contains(.form), request.isForm {
            _ = try body()
            pairs += request.formPairs
        }
        if sources.contains(.elements) { pairs += elements }
        return pairs
    }

    mutating func remove(_ place: TemplateScheme.Addition.Place) {
        switch place {
        case .field(let name): request.headers[name] = nil
        case .element(let name, _, _): elements.removeAll { $0.isNamed(name) }
        case .parameter(let name): request.url = request.url.removing(parameter: name)
        case .form(let name):
            guard request.isForm, let data = request.body.inMemory else { return }
            request.body = .bytes(HTTP.FormPair.removing(name, from: data, plusIsBlank: true))
        }
    }
}

extension HTTP.Request {
    /// The query's parameters, decoded like a form.
    var queryPairs: [HTTP.FormPair] {
        HTTP.FormPair.pairs(of: (url.query ?? "").utf8, plusIsBlank: true)
    }

    /// The parameters of the form in the content; empty unless the content is a form in memory.
    var formPairs: [HTTP.FormPair] {
        guard isForm, let data = body.inMemory else { return [] }
        return HTTP.FormPair.pairs(of: data, plusIsBlank: true)
    }

    var isForm: Bool {
        guard let type = headers["Content-Type"] else { return false }
        let name = HTTP.FieldSyntax.trimmed(String(type.beginning(before: ";")))
        return HTTP.FieldSyntax.isSameName(name, "application/x-www-form-urlencoded")
    }
}
