public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TemplateScheme {
    /// Returns whether a request has a correct and fresh signature of this scheme. Tell the sender no more than this.
    /// - Parameters:
    ///   - request: The request as received, with a complete URL and its body in memory.
    ///   - key: The key with the request's ``keyID(of:)``, or the shared key.
    ///   - date: The current date.
    ///   - tolerance: The largest difference between the signature's time and `date`. Defaults to 300 s.
    public func isGenuine(
        _ request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration = .seconds(300)
    ) -> Bool {
        (try? verify(request, with: key, date: date, tolerance: tolerance)) != nil
    }

    /// Verifies that a request has a correct and fresh signature of this scheme, for servers.
    ///
    /// Signatures of a scheme without a time stay valid forever. This method does not detect replays: keep a list of
    /// used nonces, see ``nonce(of:)``.
    /// - Parameters:
    ///   - request: The request as received, with a complete URL and its body in memory.
    ///   - key: The key with the request's ``keyID(of:)``, or the shared key.
    ///   - date: The current date.
    ///   - tolerance: The largest difference between the signature's time and `date`. Defaults to 300 s.
    /// - Throws: ``SignatureVerificationError`` with the reason, which is for logs only: it would help an attacker.
    public func verify(
        _ request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration = .seconds(300)
    ) throws(SignatureVerificationError) {
        let parsed = try parsed(of: request)
        _ = try proof(parsed, of: request, with: key, date: date, tolerance: tolerance)
    }

    /// Verifies a signature and returns the text to detect a replay by: the nonce if the signature covers one,
    /// otherwise a hash of the signature, which nobody can vary.
    func proof(
        _ parsed: ParsedSignature,
        of request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration
    ) throws(SignatureVerificationError) -> String {
        if let keyID = parsed.keyID, keyID != key.id { throw .unknownKey(keyID) }
        guard request.body.inMemory != nil else { throw .contentNotInMemory }
        guard request.headers.areExact(coveredFields(of: request) + ["Host"]) else {
            throw .inexactFields
        }
        if let made = parsed.milliseconds {
            try SignatureVerificationError.checkAge(
                date.timeIntervalSince1970 - Double(made) / 1000,
                tolerance
            )
        }
        // A scheme without a time uses the current date.
        let moment =
            parsed.milliseconds.map { Date(timeIntervalSince1970: Double($0) / 1000) } ?? date
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: moment, nonce: parsed.nonce ?? "")
        )
        guard var renderer = try? TemplateRenderer(request, context) else {
            throw .mismatch(key.id)
        }
        renderer.elements = parsed.elements
        renderer.remove(signature.place)
        for addition in additions {
            let expected = (try? renderer.bytes(of: addition.template)) ?? []
            let found = texts(at: addition.place, of: request)
            if addition.isOmittedWhenEmpty, expected.isEmpty, found.isEmpty { continue }
            guard found.count == 1, ConstantTime.isEqual(found[0], expected) else {
                throw .mismatch(key.id)
            }
        }
        guard let text = try? renderer.bytes(of: stringToSign),
            let code = try? code(for: text, renderer), isSigned(request, by: code, parsed, renderer)
        else { throw .mismatch(key.id) }
        // The nonce store rejects an empty nonce.
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
    public func keyID(of request: HTTP.Request) -> String? { (try? parsed(of: request))?.keyID }

    /// Returns the nonce in a request, for a server's list of used nonces; `nil` if there is none. Trust it only after
    /// ``verify(_:with:date:tolerance:)`` has returned.
    public func nonce(of request: HTTP.Request) -> String? { (try? parsed(of: request))?.nonce }

    /// The signature and its parameters as read from a request.
    struct ParsedSignature {
        var keyID: String?
        var milliseconds: Int?
        var nonce: String?
        var signatures: [[UInt8]] = []
        var elements: [HTTP.FormPair] = []
    }

    func parsed(
        of request: HTTP.Request
    ) throws(SignatureVerificationError) -> ParsedSignature {
        if let problem = request.headers.problem { throw .malformed("\(problem)") }
        guard request.url.origin != nil else {
            throw .malformed("The request's URL is not complete.")
        }
        var parsed = ParsedSignature()
        for case .element(_, let field, let scheme) in [signature.place] {
            guard let text = request.headers[field], Self.isCredential(text, of: scheme) else {
                throw .unsigned
            }
            guard let elements = Self.elements(of: text, scheme) else {
                throw .malformed("The field \(field) is not a list of parameters.")
            }
            parsed.elements = elements.filter { !$0.isNamed("realm") }
        }
        let signatures = texts(at: signature.place, of: request)
        guard let text = signatures.first else { throw .unsigned }
        for addition in additions {
            let found = texts(at: addition.place, of: request)
            if found.isEmpty, addition.isOmittedWhenEmpty { continue }
            guard found.count == 1, parsed.read(addition.template, from: found[0]) else {
                throw SignatureVerificationError(
                    found.isEmpty ? .missingParameter : .malformed,
                    nil,
                    "\(addition.place.name), which the scheme sends beside the signature, is not there once "
                        + "and in its form."
                )
            }
        }
        let isRead =
            isListOfSignatures
            ? parsed.readList(signature.template, from: text)
            : parsed.read(signature.template, from: text)
        guard isRead, signatures.count == 1, !parsed.signatures.isEmpty else {
            throw .malformed("The signature is not there once and in its form.")
        }
        return parsed
    }

    private static func isCredential(_ text: String, of scheme: String) -> Bool {
        guard let start = String(text.utf8.prefix(scheme.utf8.count + 1)) else { return false }
        return HTTP.FieldSyntax.isSameName(start, scheme + " ")
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
        guard let text, isCredential(text, of: scheme) else { return nil }
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
