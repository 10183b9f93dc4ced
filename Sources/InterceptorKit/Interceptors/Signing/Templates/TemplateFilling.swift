#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the values of a template are filled in from.
struct TemplateFilling {
    var request: HTTP.Request
    let keyID: String
    let token: String
    var secret: [UInt8]
    var milliseconds: Int
    var nonce: String
    var bodyHash: HashAlgorithm.Digest?
    let hashing: HashProvider
    var signature = ""
    /// What the scheme puts into a field that lists elements.
    var elements: [(name: String, value: String)] = []
    /// That field, and the word before the first of them.
    var list: (field: String, scheme: String)?

    init(_ request: HTTP.Request, _ context: SigningContext) throws {
        self.request = request
        keyID = context.key.id
        token = context.key.token ?? ""
        secret = try context.key.secret.bytes
        // Throws for what is no date.
        _ = try SigningTime(context.date)
        milliseconds = Int((context.date.timeIntervalSince1970 * 1000).rounded())
        nonce = context.nonce
        bodyHash = context.bodyHash
        hashing = context.hashing
    }

    func bytes(of template: SignatureTemplate) throws -> [UInt8] {
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
            return Array(Data(try bytes(of: template)).base64EncodedString().utf8)
        case .encoded(let template):
            var text = CanonicalText()
            text.appendEncoded(try bytes(of: template))
            return text.bytes
        case .hash(let algorithm, let template, let encoding):
            let digest = algorithm.hash(try bytes(of: template), by: hashing)
            return Array(encoding.text(Array(digest)).utf8)
        case .bodyHash(let algorithm, let encoding):
            return Array(encoding.text(Array(try digest(algorithm))).utf8)
        case .fieldLines(let fields, let hasHost, let isLowercase):
            var text = CanonicalText()
            try covered(fields, hasHost: hasHost).writeLines(to: &text)
            return isLowercase ? Array(text.string.lowercased().utf8) : text.bytes
        case .fieldNames(let fields, let hasHost):
            var text = CanonicalText(capacity: 64)
            try covered(fields, hasHost: hasHost).writeNames(to: &text)
            return text.bytes
        case .parameters(let parameters):
            return Array(parameters.text(of: try pairs(from: parameters.sources)).utf8)
        default:
            return Array(text(of: value).utf8)
        }
    }

    private func covered(_ fields: SignedFields, hasHost: Bool) throws -> CanonicalFields {
        let host = hasHost ? try CanonicalTarget(request.url).authority : nil
        return CanonicalFields(of: request, fields, host: host)
    }

    /// The values that cannot fail.
    private func text(of value: SignatureValue.Kind) -> String {
        let url = request.url
        return switch value {
        case .method: request.method.rawValue
        case .authority: url.origin?.authority ?? ""
        case .url: url.splitFragment().front
        case .baseURL: (url.origin?.description ?? "") + (url.path.isEmpty ? "/" : url.path)
        case .path: url.path.isEmpty ? "/" : url.path
        case .target: url.requestTarget
        case .field(let name): request.headers[name] ?? ""
        case .keyID: keyID
        case .token: token
        case .nonce: nonce
        case .signature: signature
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
        return algorithm.hash(try body(), by: hashing)
    }

    private func pairs(
        from sources: RequestParameters.Sources
    ) throws -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        if sources.contains(.query) { pairs += request.url.queryParameters }
        if sources.contains(.form), request.isForm { pairs += try form() }
        if sources.contains(.elements) { pairs += elements }
        return pairs
    }

    /// The parameters of the form in the content.
    func form() throws -> [(name: String, value: String)] {
        request.isForm ? Self.form(in: try body()) : []
    }

    static func form(in data: Data) -> [(name: String, value: String)] {
        data.split(separator: UInt8(ascii: "&")).map { pair in
            let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return (decoded(pair[..<mark]), decoded(pair[mark...].dropFirst()))
        }
    }

    private static func decoded(_ bytes: Data) -> String {
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return HTTP.percentDecoded(String(decoding: spaced, as: UTF8.self))
    }

    /// Takes out what stands at a place.
    mutating func remove(_ place: TemplateScheme.Addition.Place) {
        switch place {
        case .field(let name): request.headers[name] = nil
        case .element(let name, _, _): elements.removeAll { $0.name == name }
        case .parameter(let name):
            guard request.url.hasParameter(name), let query = request.url.query else { return }
            let mark = UInt8(ascii: "=")
            let all = query.utf8.split(
                separator: UInt8(ascii: "&"),
                omittingEmptySubsequences: false
            )
            let kept = all.filter {
                HTTP.percentDecoded(Substring($0.prefix { $0 != mark })) != name
            }
            let front = request.url.splitFragment().front.prefix { $0 != "?" }
            let texts = kept.map { Substring($0) }
            let rest = texts.isEmpty ? "" : "?" + texts.joined(separator: "&")
            request.url = HTTP.URL(front + rest)
        case .form(let name):
            guard request.isForm, let data = request.body.inMemory else { return }
            let kept = data.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
                .filter { Self.decoded($0.prefix { $0 != UInt8(ascii: "=") }) != name }
            request.body = .bytes(kept.joined(separator: [UInt8(ascii: "&")]))
        }
    }
}

extension HTTP.Request {
    /// Whether the content is a form, by its media type.
    var isForm: Bool {
        guard let type = headers["Content-Type"] else { return false }
        let name = HTTP.trimmed(String(type.prefix { $0 != ";" }))
        return HTTP.isSameName(name, "application/x-www-form-urlencoded")
    }
}
