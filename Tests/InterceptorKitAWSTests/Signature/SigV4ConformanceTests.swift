import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestRun
import TestSupport
import Testing

@Suite("AWSSignatureV4 conformance")
struct SigV4ConformanceTests {
    @Test(
        "gives the texts and signatures of every published example",
        .tags(.vectors),
        .vectors(
            "sigv4/aws-c-auth-v4.json",
            "sigv4/aws-c-auth-v4a",
            "sigv4/classic-2015.json",
            "sigv4/smithy-rs-extra"
        )
    )
    func vectors() throws {
        var conformance = Conformance("sigv4")
        try Self.runCurrent(&conformance)
        try Self.runAsymmetric(&conformance)
        try Self.runClassic(&conformance)
        try Self.runSmithy(&conformance)

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 76 + 76 + 31 + 3)
    }

    @Test(
        "gives the texts and signatures of AWS's documentation and of curl",
        .tags(.vectors),
        .vectors("sigv4/aws-doc-examples.json", "sigv4/curl-sigv4.json")
    )
    func documents() throws {
        var conformance = Conformance("sigv4-documents")
        try Self.runDocumentation(&conformance)
        try Self.runCurl(&conformance)

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 6 + 3 + 2 + 24)
    }

    struct Credentials: Decodable {
        var access_key_id: String
        var secret_access_key: String
        var token: String?

        var key: SigningKey {
            var key = SigningKey(id: access_key_id, secret: secret_access_key.utf8)
            key.token = token
            return key
        }
    }

    struct Context: Decodable {
        var credentials: Credentials
        var expiration_in_seconds: Int
        var normalize: Bool
        var region: String
        var service: String
        var sign_body: Bool
        var timestamp: String
        var omit_session_token: Bool?

        /// The suite writes paths as they are before any encoding, so they are encoded once.
        func scheme(_ location: AWSSignatureV4.Location) -> AWSSignatureV4 {
            var scheme = AWSSignatureV4(service: service, region: region)
            scheme.location = location
            scheme.normalizesPath = normalize
            scheme.encodesPathTwice = false
            scheme.statesPayloadHash = sign_body
            scheme.signsToken = omit_session_token != true
            return scheme
        }
    }

    struct Expected: Decodable {
        var canonical_request: String
        var string_to_sign: String
        var signature: String
        var signed_request_base64: String
    }

    static func note(
        _ conformance: inout Conformance,
        _ name: String,
        _ expected: [String?],
        _ make: () throws -> [String?]
    ) {
        do {
            let made = try make()
            conformance.note(made == expected, "\(name): \(made) is not \(expected)")
        } catch {
            conformance.note(false, "\(name): \(error)")
        }
    }

    static func context(_ key: SigningKey, _ timestamp: String) throws -> SigningContext {
        let date = try signingDate(timestamp)
        return SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))
    }

    private static func runCurrent(_ conformance: inout Conformance) throws {
        struct Row: Decodable {
            var name: String
            var context: Context
            var request_base64: String
            var header: Expected
            var query: Expected
        }
        struct File: Decodable { var cases: [Row] }
        let file = try JSONDecoder().decode(
            File.self,
            from: Vectors.data("sigv4/aws-c-auth-v4.json")
        )
        for row in file.cases {
            let request = try SigV4Request(Data(base64Encoded: row.request_base64) ?? Data())
                .request
            let context = try context(row.context.credentials.key, row.context.timestamp)
            let duration = Duration.seconds(row.context.expiration_in_seconds)
            for (location, expected) in [
                (AWSSignatureV4.Location.field, row.header),
                (.query(validFor: duration), row.query),
            ] {
                let signed = try SigV4Request(
                    Data(base64Encoded: expected.signed_request_base64) ?? Data()
                ).request
                let wanted: [String?] = [
                    expected.canonical_request, expected.string_to_sign, expected.signature,
                    signed.headers["Authorization"],
                    signed.url.queryParameters.map { "\($0.name)=\($0.value)" }.sorted().joined(),
                ]
                note(&conformance, "\(row.name) \(location)", wanted) {
                    let scheme = row.context.scheme(location)
                    let texts = try scheme.explain(request, context)
                    let made = try scheme.sign(request, context)
                    return [
                        texts.canonicalRequest, texts.stringToSign, signature(of: made),
                        made.headers["Authorization"],
                        made.url.queryParameters.map { "\($0.name)=\($0.value)" }.sorted().joined(),
                    ]
                }
            }
        }
    }

    private static func runAsymmetric(_ conformance: inout Conformance) throws {
        for name in try Vectors.names(in: "sigv4/aws-c-auth-v4a", ending: "") {
            let folder = "sigv4/aws-c-auth-v4a/\(name)"
            // Two folders have a request and nothing to compare with.
            guard Vectors.has("\(folder)/header-canonical-request.txt") else { continue }
            let row = try JSONDecoder().decode(
                Context.self,
                from: Vectors.data("\(folder)/context.json")
            )
            let request = try SigV4Request(Vectors.data("\(folder)/request.txt")).request
            var key = SigningKey(id: row.credentials.access_key_id, signer: BlankSigner())
            key.token = row.credentials.token
            let context = try context(key, row.timestamp)
            let duration = Duration.seconds(row.expiration_in_seconds)
            for (place, location) in [
                ("header", AWSSignatureV4.Location.field), ("query", .query(validFor: duration)),
            ] {
                let wanted = try ["canonical-request", "string-to-sign"].map {
                    String(
                        decoding: try Vectors.data("\(folder)/\(place)-\($0).txt"),
                        as: UTF8.self
                    )
                }
                note(&conformance, "v4a \(name) \(place)", wanted) {
                    var scheme = row.scheme(location)
                    scheme.algorithm = .ecdsaP256SHA256
                    let texts = try scheme.explain(request, context)
                    return [texts.canonicalRequest, texts.stringToSign]
                }
            }
        }
    }

    private static func runClassic(_ conformance: inout Conformance) throws {
        struct Row: Decodable {
            var name: String
            var req: Data
            var creq: Data
            var sts: Data
            var authz: Data
        }
        struct File: Decodable { var cases: [Row] }
        let file = try JSONDecoder().decode(
            File.self,
            from: Vectors.data("sigv4/classic-2015.json")
        )
        let key = SigningKey(
            id: "AKIDEXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8
        )
        for row in file.cases {
            var request = try SigV4Request(row.req, folding: .fields).request
            // A token in the request is covered like any other field.
            var key = key
            key.token = request.headers["X-Amz-Security-Token"]
            request.headers["X-Amz-Security-Token"] = nil
            let context = try context(key, "20150830T123600Z")
            let wanted = [row.creq, row.sts, row.authz].map { String(decoding: $0, as: UTF8.self) }
            note(&conformance, "classic \(row.name)", wanted) { [request] in
                var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
                scheme.encodesPathTwice = false
                let texts = try scheme.explain(request, context)
                let made = try scheme.sign(request, context)
                return [texts.canonicalRequest, texts.stringToSign, made.headers["Authorization"]]
            }
        }
    }
}
