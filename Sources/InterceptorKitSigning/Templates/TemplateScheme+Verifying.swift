public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TemplateScheme {
    /// Returns whether a request has a correct and fresh signature of this scheme, for servers.
    ///
    /// The result is only yes or no, so an attacker learns nothing else. A scheme without a time has no
    /// window: its signatures stay valid. Keep a list of used nonces yourself; see ``nonce(of:)``.
    /// - Parameters:
    ///   - request: The request as received, with a complete URL and its body in memory.
    ///   - key: The key that the request's ``keyID(of:)`` names, or the shared one.
    ///   - date: The current date.
    ///   - tolerance: The largest distance of the signature's time from it. Defaults to 300 s.
    public func verify(
        _ request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration = .seconds(300)
    ) -> Bool {
        proof(of: request, with: key, date: date, tolerance: tolerance) != nil
    }

    /// What a correct and fresh signature makes a request recognisable by: the nonce where the signature
    /// covers one, and else the signature itself, which nobody can vary.
    /// - Returns: `nil` if there is no such signature.
    func proof(
        of request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration
    ) -> String? {
        guard let parsed = parsed(of: request), parsed.keyID == nil || parsed.keyID == key.id,
            request.body.inMemory != nil,
            request.headers.areExact(coveredFields(of: request) + ["Host"])
        else { return nil }
        if let made = parsed.milliseconds {
            let age = abs(date.timeIntervalSince1970 - Double(made) / 1000)
            guard age <= tolerance.inSeconds else { return nil }
        }
        // The present only where the scheme writes no time at all.
        let moment =
            parsed.milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? date
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: moment, nonce: parsed.nonce ?? "")
        )
        guard var renderer = try? TemplateRenderer(request, context) else { return nil }
        renderer.elements = parsed.elements
        renderer.remove(signature.place)
        for addition in additions {
            let expected = (try? renderer.bytes(of: addition.template)) ?? []
            let found = texts(at: addition.place, of: request)
            if addition.isOmittedWhenEmpty, expected.isEmpty, found.isEmpty { continue }
            guard found.count == 1, ConstantTime.isEqual(found[0], expected) else { return nil }
        }
        guard let text = try? renderer.bytes(of: stringToSign),
            let code = try? code(for: text, renderer), isSigned(request, by: code, parsed, renderer)
        else { return nil }
        // A nonce that is covered and missing is no proof, which the store's reader refuses.
        if stringToSign.contains({ $0 == .nonce }) { return parsed.nonce ?? "" }
        return HashAlgorithm.sha256.hash(code).hexadecimal
    }

    private func isSigned(
        _ request: HTTP.Request,
        by code: [UInt8],
        _ parsed: ParsedSignature,
        _ renderer: TemplateRenderer
    ) -> Bool {
        guard !isListOfSignatures else {
            return parsed.signatures.contains { ConstantTime.isEqual($0, code) }
        }
        var renderer = renderer
        renderer.signature = code
        let found = texts(at: signature.place, of: request)
        guard let expected = try? renderer.bytes(of: signature.template), found.count == 1 else {
            return false
        }
        return ConstantTime.isEqual(found[0], expected)
    }

    /// Returns the key id in a request; `nil` if there is none.
    public func keyID(of request: HTTP.Request) -> String? { parsed(of: request)?.keyID }

    /// Returns the nonce in a request, for a server's list of used ones; `nil` if there is none. Trust it
    /// only after ``verify(_:with:date:tolerance:)`` returned `true`.
    public func nonce(of request: HTTP.Request) -> String? { parsed(of: request)?.nonce }

    /// What a request says of its signature.
    struct ParsedSignature {
        var keyID: String?
        var milliseconds: Int?
        var nonce: String?
        var signatures: [[UInt8]] = []
        var elements: [HTTP.FormPair] = []
    }

    private func parsed(of request: HTTP.Request) -> ParsedSignature? {
        guard request.headers.problem == nil, request.url.origin != nil else { return nil }
        var parsed = ParsedSignature()
        for case .element(_, let field, let scheme) in [signature.place] {
            guard let elements = Self.elements(of: request.headers[field], scheme) else {
                return nil
            }
            parsed.elements = elements.filter { !$0.isNamed("realm") }
        }
        for addition in additions {
            let found = texts(at: addition.place, of: request)
            if found.isEmpty, addition.isOmittedWhenEmpty { continue }
            guard found.count == 1, parsed.read(addition.template, from: found[0]) else {
                return nil
            }
        }
        let found = texts(at: signature.place, of: request)
        guard found.count == 1 else { return nil }
        if isListOfSignatures {
            guard parsed.readList(signature.template, from: found[0]) else { return nil }
        } else {
            guard parsed.read(signature.template, from: found[0]) else { return nil }
        }
        return parsed.signatures.isEmpty ? nil : parsed
    }

    private func texts(at place: Addition.Place, of request: HTTP.Request) -> [[UInt8]] {
        switch place {
        case .field(let name):
            return request.headers.values(name).map { Array($0.utf8) }
        case .parameter(let name):
            return request.queryPairs.filter { $0.isNamed(name) }.map(\.value)
        case .form(let name):
            return request.formPairs.filter { $0.isNamed(name) }.map(\.value)
        case .element(let name, let field, let scheme):
            let elements = Self.elements(of: request.headers[field], scheme) ?? []
            return elements.filter { $0.isNamed(name) }.map(\.value)
        }
    }

    private static func elements(of text: String?, _ scheme: String) -> [HTTP.FormPair]? {
        guard let text, let start = String(text.utf8.prefix(scheme.utf8.count + 1)),
            HTTP.FieldSyntax.isSameName(start, scheme + " ")
        else {
            return nil
        }
        let quote = UInt8(ascii: "\"")
        var elements: [HTTP.FormPair] = []
        for part in text.utf8.dropFirst(scheme.utf8.count + 1).split(separator: UInt8(ascii: ",")) {
            guard let mark = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = HTTP.FieldSyntax.trimmed(String(Substring(part[..<mark])))
            let value = HTTP.FieldSyntax.trimmed(String(Substring(part[mark...].dropFirst()))).utf8
            guard value.count >= 2, value.first == quote, value.last == quote else { return nil }
            elements.append(
                HTTP.FormPair(
                    PercentEncoding.decodedBytes(name.utf8),
                    PercentEncoding.decodedBytes(value.dropFirst().dropLast())
                )
            )
        }
        return elements
    }
}
