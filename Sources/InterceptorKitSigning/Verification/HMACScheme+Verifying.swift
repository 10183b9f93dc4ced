public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HMACScheme {
    /// Returns whether a request has a correct and fresh signature of this scheme. Tell the sender no more than this.
    /// - Parameters:
    ///   - request: The request as received, with a complete URL and its body in memory.
    ///   - key: The key with the request's ``keyID(of:)``.
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
    /// This method does not detect replays: keep a list of used nonces, see ``nonce(of:)``.
    /// - Parameters:
    ///   - request: The request as received, with a complete URL and its body in memory.
    ///   - key: The key with the request's ``keyID(of:)``.
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
        try verify(parsed, of: request, with: key, date: date, tolerance: tolerance)
    }

    func verify(
        _ parsed: ParsedSignature,
        of request: HTTP.Request,
        with key: SigningKey,
        date: Date,
        tolerance: Duration
    ) throws(SignatureVerificationError) {
        guard parsed.keyID == key.id else { throw .unknownKey(parsed.keyID) }
        try SignatureVerificationError.checkAge(
            date.timeIntervalSince1970 - Double(parsed.timestamp),
            tolerance
        )
        let required = coveredFields.filter(request.headers.contains)
        guard location.isParameters || parsed.fields == required else {
            throw SignatureVerificationError(
                .uncovered,
                nil,
                "The signature does not cover the fields that the scheme covers and the request has."
            )
        }
        guard let data = request.body.inMemory else { throw .contentNotInMemory }
        guard request.headers.areExact(required) else { throw .inexactFields }
        let canonical = CanonicalRequest(
            request: request,
            uncoveredParameter: signatureParameter,
            coveredFields: required,
            bodyHash: coversBody ? HashAlgorithm.sha256.hash(data) : nil,
            keyID: parsed.keyID,
            timestamp: parsed.timestamp,
            nonce: parsed.nonce
        )
        guard let code = try? canonical.code(with: key),
            ConstantTime.isEqual(code.hexadecimal.utf8, parsed.code.utf8)
        else { throw .mismatch(key.id) }
    }

    /// Returns the key id in a request; `nil` if there is no signature.
    public func keyID(of request: HTTP.Request) -> String? { (try? parsed(of: request))?.keyID }

    /// Returns the nonce in a request, for a server's list of used nonces; `nil` if there is no signature. Trust it
    /// only after ``verify(_:with:date:tolerance:)`` has returned.
    public func nonce(of request: HTTP.Request) -> String? { (try? parsed(of: request))?.nonce }

    /// The signature and its parameters as read from a request.
    struct ParsedSignature {
        var keyID: String
        fileprivate var timestamp: Int
        var nonce: String
        fileprivate var fields: [String]
        fileprivate var code: String
    }

    func parsed(
        of request: HTTP.Request
    ) throws(SignatureVerificationError) -> ParsedSignature {
        switch location {
        case .field(let name):
            guard request.headers.contains(name) else { throw .unsigned }
            guard let parsed = fieldClaim(request, name) else {
                throw .malformed("The field \(name) does not have the parameters of a signature.")
            }
            return parsed
        case .parameters(let keyID, let timestamp, let nonce, let signature):
            let pairs = HTTP.FormPair.pairs(of: (request.url.query ?? "").utf8)
            guard pairs.contains(where: { $0.isNamed(signature) }) else { throw .unsigned }
            guard let parsed = parameterClaim(request, pairs, (keyID, timestamp, nonce, signature))
            else {
                throw .malformed("The query does not have each of a signature's parameters once.")
            }
            return parsed
        }
    }

    private func fieldClaim(_ request: HTTP.Request, _ name: String) -> ParsedSignature? {
        guard let text = request.headers[name] else { return nil }
        var values = ParsedParameters()
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            guard values.add(part) else { return nil }
        }
        guard let keyID = values["keyid"], let nonce = values["nonce"], let code = values["hmac"],
            let timestamp = values["created"].flatMap(Self.seconds)
        else { return nil }
        return ParsedSignature(
            keyID: keyID,
            timestamp: timestamp,
            nonce: nonce,
            fields: values["fields"]?.split(at: " ").map(String.init) ?? [],
            code: code
        )
    }

    private func parameterClaim(
        _ request: HTTP.Request,
        _ pairs: [HTTP.FormPair],
        _ names: (keyID: String, timestamp: String, nonce: String, signature: String)
    ) -> ParsedSignature? {
        func single(_ name: String) -> String? {
            let found = pairs.filter { $0.isNamed(name) }
            guard found.count == 1 else { return nil }
            return found.first.flatMap { String(validating: $0.value, as: UTF8.self) }
        }
        guard let keyID = single(names.keyID), let nonce = single(names.nonce),
            let timestamp = single(names.timestamp).flatMap(Self.seconds),
            let code = single(names.signature), request.url.origin != nil
        else { return nil }
        return ParsedSignature(
            keyID: keyID,
            timestamp: timestamp,
            nonce: nonce,
            fields: [],
            code: code
        )
    }

    // Accepts only the spelling that a signer writes: no sign and no leading zeros.
    private static func seconds(_ text: String) -> Int? {
        Int(text).flatMap { "\($0)" == text ? $0 : nil }
    }

    private var signatureParameter: String? {
        if case .parameters(_, _, _, let name) = location { name } else { nil }
    }
}

extension HMACScheme.Location {
    fileprivate var isParameters: Bool {
        if case .parameters = self { true } else { false }
    }
}

/// The parameters in a signature's field, each at most once.
private struct ParsedParameters {
    private var values: [(name: String, value: String)] = []

    init() { values.reserveCapacity(5) }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    /// - Returns: Whether the part is a parameter with a new name.
    mutating func add(_ part: Substring.UTF8View) -> Bool {
        guard let mark = part.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let name = HTTP.FieldSyntax.trimmed(String(Substring(part[..<mark])))
        // A signature has at most six parameters. The limit bounds the comparisons, whose number grows quadratically.
        guard values.count < 16, self[name] == nil else { return false }
        var value = HTTP.FieldSyntax.trimmed(String(Substring(part[part.index(after: mark)...])))
        if value.utf8.contains(UInt8(ascii: "\"")) {
            value = String(decoding: value.utf8.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
        values.append((name, value))
        return true
    }
}
