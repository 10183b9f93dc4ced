import ConformanceVectors
import Foundation
import InterceptorKitSigning
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAWS

extension SigV4ConformanceTests {
    static func runDocumentation(_ conformance: inout Conformance) throws {
        struct Row: Decodable {
            var id: String
            var method: String
            var path: String
            var query: [[String]]
            var headers: [[String]]
            var payload_utf8: String
            var region: String
            var timestamp: String
            var access_key: String
            var secret: String
            var canonical_request: String
            var string_to_sign: String
            var signature: String
        }
        struct Chunk: Decodable {
            var data: String
            var `repeat`: Int
            var previous_signature: String
            var signature: String
        }
        struct Chunked: Decodable {
            var seed_case: String
            var chunks: [Chunk]
        }
        struct Derivation: Decodable {
            var secret: String
            var date: String
            var region: String
            var service: String
            var signing_key_hex: String
        }
        struct File: Decodable {
            var cases: [Row]
            var chunked: Chunked
            var key_derivation: [Derivation]
        }
        let file = try JSONDecoder()
            .decode(File.self, from: Vectors.data("sigv4/aws-doc-examples.json"))
        for row in file.cases {
            let headers = HTTP.Headers(row.headers.map { ($0[0], $0[1]) })
            let expiry = row.query.first { $0[0] == "X-Amz-Expires" }.flatMap { Int($0[1]) }
            let query = row.query.filter { !$0[0].hasPrefix("X-Amz-") }
            let request = HTTP.Request(
                HTTP.Method(rawValue: row.method),
                HTTP.URL("https://\(raw: headers["host"] ?? "")\(raw: row.path)")
                    .appending(query: HTTP.Parameters(query.map { ($0[0], $0[1]) })),
                headers: headers,
                body: .text(row.payload_utf8)
            )
            let key = SigningKey(id: row.access_key, secret: row.secret.utf8)
            let context = try context(key, row.timestamp)
            note(
                &conformance,
                "documentation \(row.id)",
                [row.canonical_request, row.string_to_sign, row.signature]
            ) {
                var scheme = AWSSignatureV4.s3(region: row.region)
                if let expiry { scheme.location = .query(validFor: .seconds(expiry)) }
                let texts = try scheme.explain(request, context)
                let made = try scheme.sign(request, context)
                return [texts.canonicalRequest, texts.stringToSign, signature(of: made)]
            }
            guard row.id == file.chunked.seed_case else { continue }
            var signer = try AWSSignatureV4.ChunkSigner(
                .s3(region: row.region),
                seed: row.signature,
                context
            )
            for chunk in file.chunked.chunks {
                let data = Data(String(repeating: chunk.data, count: chunk.repeat).utf8)
                note(
                    &conformance,
                    "chunk of \(data.count)",
                    [chunk.previous_signature, chunk.signature]
                ) { [signer.previous, try signer.signature(of: data)] }
            }
        }
        for row in file.key_derivation {
            note(&conformance, "key of \(row.date)", [row.signing_key_hex]) {
                let scheme = AWSSignatureV4(service: row.service, region: row.region)
                let key = SigningKey(id: "AKID", secret: row.secret.utf8)
                let date = try signingDate(row.date + "120000")
                let freshness = SignatureFreshness(date: date, nonce: "")
                return [try scheme.derivedKey(from: key, freshness).hexadecimal]
            }
        }
    }

    static func runCurl(_ conformance: inout Conformance) throws {
        struct Row: Decodable {
            var origin: String
            var provider_prefix: String
            var access_key: String
            var secret: String
            var timestamp: String
            var region: String
            var service: String
            var method: String
            var request_target: String
            var headers: [[String]]
            var body_base64: Data
            var signed_headers: String
            var canonical_request: String
            var string_to_sign: String
            var authorization: String
        }
        struct File: Decodable { var cases: [Row] }
        let file = try JSONDecoder().decode(File.self, from: Vectors.data("sigv4/curl-sigv4.json"))
        for row in file.cases {
            let headers = HTTP.Headers(row.headers.map { ($0[0], $0[1]) })
            let request = HTTP.Request(
                HTTP.Method(rawValue: row.method),
                HTTP.URL("http://\(raw: headers["Host"] ?? "")\(raw: row.request_target)"),
                headers: headers,
                body: .bytes(row.body_base64)
            )
            let dateField = headers.first {
                $0.name.hasSuffix("-Date") && $0.value == row.timestamp
            }
            let names = dateField?.name.split(separator: "-").map(String.init) ?? []
            let standIn = row.secret.isEmpty ? "any" : row.secret
            let key = SigningKey(id: row.access_key, secret: standIn.utf8)
            let context = try context(key, row.timestamp)
            note(
                &conformance,
                row.origin,
                [row.canonical_request, row.string_to_sign, row.authorization]
            ) {
                // curl, like AWS, has rules of its own for the service S3.
                var scheme =
                    row.service == "s3"
                    ? AWSSignatureV4.s3(region: row.region)
                    : AWSSignatureV4(service: row.service, region: row.region)
                scheme.provider = AWSSignatureV4.Provider(
                    String(row.provider_prefix.dropLast()),
                    fields: names[1]
                )
                scheme.signedFields = .only(
                    row.signed_headers.split(separator: ";").map(String.init)
                )
                let texts = try scheme.explain(request, context)
                let made =
                    try row.secret.isEmpty
                    ? signWithout(secret: row.secret, scheme, request, context)
                    : scheme.sign(request, context).headers["Authorization"]
                return [texts.canonicalRequest, texts.stringToSign, made]
            }
        }
    }

    /// curl takes an empty secret, and a scheme refuses one; so the signature is put in by hand.
    private static func signWithout(
        secret: String,
        _ scheme: AWSSignatureV4,
        _ request: HTTP.Request,
        _ context: SigningContext
    ) throws -> String? {
        let empty = SigningKey(id: context.key.id, secret: secret.utf8)
        let refused = SigningContext(key: empty, freshness: context.freshness)
        #expect(throws: SigningError.self) { try scheme.sign(request, refused) }
        let key = try scheme.derivedKey(from: empty, context.freshness)
        let text = try scheme.explain(request, context).stringToSign
        let code = HashAlgorithm.sha256.authenticationCode(of: text.utf8, key: key).hexadecimal
        let made = try scheme.sign(request, context)
        let other = InterceptorKitAWSTests.signature(of: made) ?? ""
        return made.headers["Authorization"]?.replacingOccurrences(of: other, with: code)
    }

    /// Two requests whose paths are encoded already; of the second, only the canonical request is right.
    static func runSmithy(_ conformance: inout Conformance) throws {
        func text(_ path: String) throws -> String {
            String(decoding: try Vectors.data("sigv4/smithy-rs-extra/\(path)"), as: UTF8.self)
        }
        let key = SigningKey(
            id: "AKIDEXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
        )
        let lambda = AWSSignatureV4(service: "lambda", region: "us-east-2")
        let context = try context(key, "20210511T154045Z")
        for folder in ["double-url-encode", "double-encode-path"] {
            let request = try SigV4Request(Data(try text("\(folder)/request.txt").utf8)).request
            let canonical = try text("\(folder)/header-canonical-request.txt")
            note(&conformance, folder, [canonical]) {
                [try lambda.explain(request, context).canonicalRequest]
            }
            guard Vectors.has("sigv4/smithy-rs-extra/\(folder)/header-string-to-sign.txt") else {
                continue
            }
            let signed = try text("\(folder)/header-signed-request.txt")
            let texts = try text("\(folder)/header-string-to-sign.txt").trimmingCharacters(
                in: .newlines
            )
            note(&conformance, "\(folder), signed", [texts, "true"]) {
                let made = try lambda.sign(request, context)
                return [
                    try lambda.explain(request, context).stringToSign,
                    "\(signed.contains(made.headers["Authorization"] ?? "none"))",
                ]
            }
        }
    }
}
