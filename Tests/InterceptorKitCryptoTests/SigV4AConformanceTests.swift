#if Crypto
import Expectations
import ConformanceVectors
import Crypto
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitCrypto
import InterceptorKitSigning
import TestRun
import Testing

@Suite("Signature Version 4A against AWS's examples")
struct SigV4AConformanceTests {
    @Test(
        "makes the published keys and texts, and verifies all signatures",
        .tags(.vectors),
        .vectors("sigv4/aws-c-auth-v4a")
    )
    func conformance() async throws {
        var result = Conformance("sigv4a")
        for name in try Vectors.names(in: Self.folder) {
            // Two folders have a request and nothing to compare with.
            guard Vectors.has("\(Self.folder)/\(name)/public-key.json") else {
                result.skip()
                continue
            }
            let example = try Example(name)
            result.note(try example.hasPublishedKey(), "\(name), key")
            for place in Example.Place.allCases {
                result.note(try example.hasPublishedTexts(place), "\(name), texts in \(place)")
                result.note(try example.verifiesSignature(place), "\(name), signature in \(place)")
                result.note(
                    try await example.verifiesRequest(place),
                    "\(name), request by \(place)"
                )
                result.note(try await example.verifiesOwnRequest(place), "\(name), own by \(place)")
            }
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed, 38 * 9)
        expectEqual(result.skipped, 2)
        print(result.summary)
    }

    fileprivate static let folder = "sigv4/aws-c-auth-v4a"
}

/// One folder of the suite.
private struct Example {
    enum Place: String, CaseIterable {
        case header, query
    }

    private struct Context: Decodable {
        struct Credentials: Decodable {
            let access_key_id: String
            let secret_access_key: String
            let token: String?
        }
        let credentials: Credentials
        let expiration_in_seconds: Int
        let normalize: Bool
        let region: String
        let service: String
        let sign_body: Bool
        let timestamp: String
        let omit_session_token: Bool?
    }

    private struct Point: Decodable {
        let X: String
        let Y: String
    }

    private let name: String
    private let context: Context
    private let date: Date
    private let published: P256.Signing.PublicKey

    init(_ name: String) throws {
        self.name = name
        context = try JSONDecoder().decode(Context.self, from: Self.data(name, "context.json"))
        date = try Date(context.timestamp, strategy: .iso8601)
        let point = try JSONDecoder().decode(Point.self, from: Self.data(name, "public-key.json"))
        published = try P256.Signing.PublicKey(
            x963Representation: [4] + (bytes(hexadecimal: point.X + point.Y) ?? [])
        )
    }

    private static func data(_ name: String, _ file: String) throws -> Data {
        try Vectors.data("\(SigV4AConformanceTests.folder)/\(name)/\(file)")
    }

    private func text(_ file: String) throws -> String {
        String(decoding: try Self.data(name, file), as: UTF8.self)
    }

    private func scheme(_ place: Place) -> AWSSignatureV4 {
        var scheme = AWSSignatureV4(service: context.service, region: context.region)
        scheme.algorithm = .ecdsaP256SHA256
        scheme.normalizesPath = context.normalize
        scheme.encodesPathTwice = false
        scheme.statesPayloadHash = context.sign_body
        scheme.signsToken = context.omit_session_token != true
        if place == .query {
            scheme.location = .query(validFor: .seconds(context.expiration_in_seconds))
        }
        return scheme
    }

    private func signingContext() throws -> SigningContext {
        let key = try SigningKey.sigV4A(
            accessKeyID: context.credentials.access_key_id,
            secretAccessKey: context.credentials.secret_access_key.utf8,
            token: context.credentials.token
        )
        return SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))
    }

    private func verifier(_ place: Place) -> AWSSignatureV4Verifier {
        var key = VerificationKey(id: context.credentials.access_key_id, p256: published)
        key.token = context.credentials.token
        return AWSSignatureV4Verifier(scheme(place), keys: FixedVerificationKeys([key]))
    }

    /// Whether the key that is derived is the private half of the published one.
    func hasPublishedKey() throws -> Bool {
        let message = Array("text".utf8)
        let signature = try signingContext().key.signer.signature(of: message)
        let derived = try VerificationKey.sigV4A(
            accessKeyID: context.credentials.access_key_id,
            secretAccessKey: context.credentials.secret_access_key.utf8
        )
        let isPublished = VerificationKey(id: "", p256: published).isValid(signature, for: message)
        return isPublished && derived.isValid(signature, for: message)
    }

    func hasPublishedTexts(_ place: Place) throws -> Bool {
        let request = try Self.request(text("request.txt"))
        let texts = try scheme(place).explain(request, signingContext())
        let expected = [
            try text("\(place)-canonical-request.txt"), try text("\(place)-string-to-sign.txt"),
        ]
        return [texts.canonicalRequest, texts.stringToSign] == expected
    }

    func verifiesSignature(_ place: Place) throws -> Bool {
        let digits = try text("\(place)-signature.txt").trimmingCharacters(
            in: .whitespacesAndNewlines
        )
        let signature = try P256.Signing.ECDSASignature(
            derRepresentation: bytes(hexadecimal: digits) ?? []
        )
        let message = Data(try text("\(place)-string-to-sign.txt").utf8)
        return published.isValidSignature(signature, for: message)
    }

    /// Whether the published request is taken by a server, and not with another method.
    func verifiesRequest(_ place: Place) async throws -> Bool {
        try await isTaken(Self.request(text("\(place)-signed-request.txt")), place)
    }

    func verifiesOwnRequest(_ place: Place) async throws -> Bool {
        let request = try Self.request(text("request.txt"))
        return try await isTaken(scheme(place).sign(request, signingContext()), place)
    }

    private func isTaken(_ request: HTTP.Request, _ place: Place) async throws -> Bool {
        var other = request
        other.method = .patch
        let isOtherTaken = try await verifier(place).isGenuine(other, at: date)
        let isTaken = try await verifier(place).isGenuine(request, at: date)
        return isTaken && !isOtherTaken
    }

    /// A request as the suite writes it: HTTP/1.1 with line feeds, and with bytes that no URL has.
    private static func request(_ text: String) throws -> HTTP.Request {
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        var lines = parts[0].split(separator: "\n").map(String.init)
        let line = try unwrap(lines.isEmpty ? nil : lines.removeFirst())
        let words = line.split(separator: " ").map(String.init)
        var target = words.dropFirst().joined(separator: " ")
        if target.hasSuffix(" HTTP/1.1") { target.removeLast(9) }
        var fields: [(String, String)] = []
        for line in lines {
            if line.first == " ", let last = fields.popLast() {
                let more = line.trimmingCharacters(in: .whitespaces)
                fields.append((last.0, last.1 + " " + more))
            } else {
                let name = line.prefix { $0 != ":" }
                fields.append((String(name), String(line.dropFirst(name.count + 1))))
            }
        }
        let encoded = target.utf8.map { byte in
            0x21...0x7E ~= byte
                ? String(Unicode.Scalar(byte)) : "%" + String(format: "%02X", Int(byte))
        }
        let headers = HTTP.Headers(fields)
        return HTTP.Request(
            HTTP.Method(rawValue: words.first ?? ""),
            HTTP.URL("https://\(raw: headers["Host"] ?? "")\(raw: encoded.joined())"),
            headers: headers,
            body: .text(parts.count > 1 ? parts[1].trimmingCharacters(in: .newlines) : "")
        )
    }
}
#endif
