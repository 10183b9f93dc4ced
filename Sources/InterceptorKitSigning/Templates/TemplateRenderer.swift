import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the values of a template are filled in from.
struct TemplateRenderer {
    var request: HTTP.Request
    let keyID: String
    let token: String
    var secret: [UInt8]
    var milliseconds: Int
    var nonce: String
    var bodyHash: HashAlgorithm.Digest?
    var signature: [UInt8] = []
    /// What the scheme puts into a field that lists elements.
    var elements: [HTTP.FormPair] = []
    /// That field, and the word before the first of them.
    var list: (field: String, scheme: String)?

    init(_ request: HTTP.Request, _ context: SigningContext) throws {
        self.request = request
        keyID = context.key.id
        token = context.key.token ?? ""
        secret = try context.key.secret.bytes
        // Throws for text that isn't a date.
        _ = try SigningTimestamp(context.date)
        milliseconds = Int(exactly: (context.date.timeIntervalSince1970 * 1000).rounded()) ?? 0
        nonce = context.nonce
        bodyHash = context.bodyHash
    }

    func bytes(of template: SignatureTemplate) throws -> [UInt8] {
        // A template is often one value alone.
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

    /// The values that cannot fail.
    private func text(of value: SignatureValue.Kind) -> String {
        let url = request.url
        return switch value {
        case .method: request.method.rawValue
        case .authority: url.origin?.authority ?? ""
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

    /// Takes out what stands at a place.
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
    /// The query's parameters, read as a form's.
    var queryPairs: [HTTP.FormPair] {
        HTTP.FormPair.pairs(of: (url.query ?? "").utf8, plusIsBlank: true)
    }

    /// The parameters of the form in the content; none without a form in memory.
    var formPairs: [HTTP.FormPair] {
        guard isForm, let data = body.inMemory else { return [] }
        return HTTP.FormPair.pairs(of: data, plusIsBlank: true)
    }

    /// Whether the content is a form, by its media type.
    var isForm: Bool {
        guard let type = headers["Content-Type"] else { return false }
        let name = HTTP.FieldSyntax.trimmed(String(type.beginning(before: ";")))
        return HTTP.FieldSyntax.isSameName(name, "application/x-www-form-urlencoded")
    }
}
