import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("Message signatures of random requests")
struct MessageSignaturePropertyTests {
    private let date = Date(timeIntervalSince1970: 1_767_225_600)
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private let verifier = MessageSignatureVerifier(
        keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)])
    )

    @Test("verify as they were signed, and not with any byte of anything covered changed")
    func tampering() async throws {
        var random = SeededGenerator(seed: 9421)
        var changes = 0
        for _ in 0..<40 {
            let signed = try sign(randomRequest(&random))
            #expect(try await verifier.isGenuine(.request(signed), at: date))
            for part in Part.allCases {
                for offset in 0..<part.text(of: signed).utf8.count {
                    guard let changed = part.changed(signed, at: offset, &random) else { continue }
                    changes += 1
                    let isGenuine = try await verifier.isGenuine(.request(changed), at: date)
                    if isGenuine { Issue.record("\(part) of \(signed.url.text), byte \(offset)") }
                }
            }
        }
        #expect(changes > 10_000)
    }

    @Test("read back from random fields as the same, or in an error, never in a trap")
    func quickRun() async throws {
        try await besideOtherTests { try fuzz(20_000, seed: 9421) }
    }

    @Test(
        "do so for as many fields as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of texts")
    )
    func longRun() async throws {
        let count = try #require(fuzzCount)
        try await besideOtherTests { try fuzz(count, seed: 8941) }
        print("fuzz message signatures: \(count) texts")
    }

    private func sign(_ request: HTTP.Request) throws -> HTTP.Request {
        let scheme = MessageSignatureScheme()
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: "00112233445566778899aabbccddeeff"),
            bodyHash: scheme.bodyHash(for: request).map { $0.hash(request.body.inMemory ?? Data()) }
        )
        return try scheme.sign(request, context)
    }
}

private let fuzzCount = ProcessInfo.processInfo.environment["INTERCEPTORKIT_FUZZ"].flatMap {
    Int($0)
}

/// What is covered by a signature, and the signature itself.
private enum Part: CaseIterable {
    case method, authority, target, body, type, credential, digest, input, signature

    private var field: String? {
        switch self {
        case .type: "Content-Type"
        case .credential: "Authorization"
        case .digest: "Content-Digest"
        case .input: "Signature-Input"
        case .signature: "Signature"
        default: nil
        }
    }

    func text(of request: HTTP.Request) -> String {
        switch self {
        case .method: request.method.rawValue
        case .authority: request.url.origin?.authority ?? ""
        case .target: request.url.requestTarget
        case .body: String(decoding: request.body.inMemory ?? Data(), as: UTF8.self)
        default: field.flatMap { request.headers[$0] } ?? ""
        }
    }

    /// The request with a bit of one byte turned; `nil` if that cannot be sent or means the same.
    func changed(
        _ request: HTTP.Request,
        at offset: Int,
        _ random: inout SeededGenerator
    ) -> HTTP.Request? {
        var bytes = Array(text(of: request).utf8)
        bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
        var changed = request
        if self == .body {
            changed.body = .bytes(Data(bytes))
            return changed
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        switch self {
        case .method: changed.method = HTTP.Method(rawValue: text)
        case .authority:
            changed.url = HTTP.URL("https://\(raw: text)\(raw: request.url.requestTarget)")
        case .target:
            changed.url = HTTP.URL(
                "https://\(raw: request.url.origin?.authority ?? "")\(raw: text)"
            )
        default:
            guard let field else { return nil }
            changed.headers[field] = text
        }
        guard (try? changed.validate()) != nil, !meansTheSame(changed, request) else { return nil }
        return changed
    }

    private func meansTheSame(_ left: HTTP.Request, _ right: HTTP.Request) -> Bool {
        switch self {
        case .authority, .target:
            return left.url.origin == right.url.origin
                && left.url.requestTarget == right.url.requestTarget
        case .input, .signature, .digest:
            guard let field else { return false }
            return (try? left.headers.structuredDictionary(field))
                == (try? right.headers.structuredDictionary(field))
        default:
            return false
        }
    }
}

private func fuzz(_ count: Int, seed: UInt64) throws {
    let seeds = [
        #"("@method" "@query-param";name="a" "x-f";key="a";req "x";bs);created=1;keyid="k";alg="a""#,
        #"("@authority" "content-digest";sf "y";tr);expires=99;nonce="n";tag="t";created"#,
    ]
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<count {
        var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let headers: HTTP.Headers = [
            "Accept-Signature": "sig=\(text)", "Signature-Input": "s=\(text)",
        ]
        _ = try? SignatureDemand.parse(headers)
        guard let parameters = try? SignatureParameters(parsing: text) else { continue }
        accepted += 1
        let again = try SignatureParameters(parsing: parameters.serialized())
        #expect(again == parameters)
        let message = SignableMessage.request(.get("https://h/?a=1", headers: headers))
        _ = try? message.signatureBase(parameters)
    }
    #expect(accepted > count / 10)
}
