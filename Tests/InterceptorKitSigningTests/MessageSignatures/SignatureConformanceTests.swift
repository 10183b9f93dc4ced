import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestRun
import TestSupport
import Testing

@Suite("HTTP Message Signatures against the examples of RFC 9421 and curl")
struct SignatureConformanceTests {
    @Test(
        "have the same components, bases and signatures, and are refused alike",
        .tags(.vectors),
        .vectors("rfc9421/signatures.json")
    )
    func conformance() async throws {
        var result = Conformance("rfc9421")
        let examples = try decode(Examples.self, "signatures.json")
        for row in examples.cases {
            result.note(try await row.isRight(among: examples.messages), row.id)
            let secret = examples.keys[row.keyid]?.secret_base64
            result.note(try await row.isSigned(with: secret, examples.messages), "\(row.id) signed")
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed, 2 * 19)
        print(result.summary)
    }

    @Test(
        "have the RFC's component values, and the bases of curl",
        .tags(.vectors),
        .vectors("rfc9421/components.json", "rfc9421/curl-httpsig.json")
    )
    func components() async throws {
        var result = Conformance("rfc9421-components")
        for row in try decode([String: [ComponentCase]].self, "components.json")["cases"] ?? [] {
            result.note(await row.isRight, row.id)
        }
        let curl = try decode(CurlExamples.self, "curl-httpsig.json")
        for row in curl.cases {
            result.note(
                row.signed ? try await row.isRight(curl.keys) : try row.isUnsigned(),
                row.name
            )
        }
        for row in curl.error_cases { result.note(try row.isRefused(), row.name) }

        expectEqual(result.failures, [])
        expectEqual(result.passed, 53 + 24 + 5)
        print(result.summary)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let object = try JSONSerialization.jsonObject(with: Vectors.data("rfc9421/\(name)"))
        let members = (object as? [String: Any] ?? [:]).filter { !$0.key.hasPrefix("_") }
        return try JSONDecoder().decode(
            type,
            from: JSONSerialization.data(withJSONObject: members)
        )
    }
}

private struct ComponentCase: Decodable {
    let id: String
    let message: VectorMessage
    let component_identifier: String
    let value: String?
    let signature_base_line: String?

    var isRight: Bool {
        get async {
            guard let message = try? await message.signable() else { return false }
            guard let component = try? MessageComponent(parsing: component_identifier),
                let found = try? message.value(of: component)
            else { return value == nil }
            let base = try? message.signatureBase(SignatureParameters([component]))
            return found == value && base?.split(separator: "\n").first == signature_base_line?[...]
        }
    }
}

private struct Examples: Decodable {
    let keys: [String: Key]
    let messages: [String: VectorMessage]
    let cases: [Example]

    struct Key: Decodable {
        let secret_base64: Data?
    }
}

private struct Example: Decodable {
    let id: String
    let message: String
    let related_request: String?
    let label: String
    let algorithm: String
    let keyid: String
    let signature_params: String
    let signature_base: String
    let signature_base64: Data
    let reproducible: Bool
    let expect: String
    let headers_to_add: [String: String]

    /// Whether the base is the same, and a verifier gets from the fields to it and to the signature.
    func isRight(among messages: [String: VectorMessage]) async throws -> Bool {
        guard let source = messages[message] else { return false }
        let answered = related_request.flatMap { messages[$0]?.request() }
        let signable = try await source.signable(answering: answered)
        let parameters = try SignatureParameters(parsing: signature_params)
        guard try signable.signatureBase(parameters) == signature_base else { return false }
        let key = VerificationKey(
            id: keyid,
            verifier: KnownSignature(
                algorithm: SignatureAlgorithm(algorithm),
                signature: Array(signature_base64),
                message: signature_base
            )
        )
        return try await verifies(with: key, source, answered, parameters)
    }

    /// Whether signing adds the published fields. The arithmetic of private keys is a package's and has
    /// a suite of its own; here such a key knows one text and its signature.
    func isSigned(with secret: Data?, _ messages: [String: VectorMessage]) async throws -> Bool {
        guard let source = messages[message] else { return false }
        let answered = related_request.flatMap { messages[$0]?.request() }
        let parameters = try SignatureParameters(parsing: signature_params)
        let known = KnownSignature(
            algorithm: SignatureAlgorithm(algorithm),
            signature: Array(signature_base64),
            message: signature_base
        )
        let key =
            secret.map { SigningKey(id: keyid, secret: $0) } ?? SigningKey(id: keyid, signer: known)
        var headers: HTTP.Headers
        if source.status == nil {
            var request = source.request()
            request.headers.remove(label)
            headers = try request.signed(parameters, label: label, with: key).headers
        } else {
            var response = try await source.response
            response.headers.remove(label)
            headers =
                try response.signed(parameters, label: label, with: key, answering: answered)
                .headers
        }
        return headers_to_add.allSatisfy { headers[$0.key]?.contains($0.value) == true }
    }

    private func verifies(
        with key: VerificationKey,
        _ source: VectorMessage,
        _ answered: HTTP.Request?,
        _ parameters: SignatureParameters
    ) async throws -> Bool {
        let verifier = MessageSignatureVerifier(
            keys: FixedVerificationKeys([key]),
            requiring: SignatureCoverage([]),
            algorithms: [key.algorithm],
            label: label,
            checksContent: false
        )
        let date = Date(timeIntervalSince1970: Double(parameters.created ?? 0))
        guard source.status == nil else {
            var response = try await source.response
            for (name, value) in headers_to_add where !response.headers.contains(name) {
                response.headers[name] = value
            }
            return try await verifier.isGenuine(.response(response, to: answered), at: date)
        }
        let missing = headers_to_add.filter { field in
            !source.headers.contains { $0[0] == field.key }
        }
        return try await verifier.isGenuine(.request(source.request(adding: missing)), at: date)
    }
}

extension HTTP.Headers {
    /// Takes a signature out of a message that was published with it.
    fileprivate mutating func remove(_ label: String) {
        for name in ["Signature-Input", "Signature"] {
            guard var members = try? structuredDictionary(name) else { continue }
            members[label] = nil
            self[name] = members.isEmpty ? nil : try? members.serialized()
        }
    }
}
