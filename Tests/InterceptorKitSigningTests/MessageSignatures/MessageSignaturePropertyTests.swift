import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("Message signatures of random requests")
struct MessageSignaturePropertyTests {
    private let date = Date(timeIntervalSince1970: 1_767_225_600)
    private let key = SigningKey(id: "app-1", secret: "s3cret".utf8)
    private let verifier = MessageSignatureVerifier(
        keys: FixedVerificationKeys([VerificationKey(id: "app-1", secret: "s3cret".utf8)])
    )

    @Test("verify as signed, and not with any covered byte changed")
    func tampering() async throws {
        var random = SeededGenerator(seed: 9421)
        var changes = 0
        let requests = cases(8, of: 40)
        for _ in 0..<requests {
            let signed = try sign(randomRequest(&random))
            try await expectTrue(verifier.isGenuine(.request(signed), at: date))
            for part in parts {
                for changed in part.changes(of: signed, &random)
                where !meansTheSame(part, changed, signed) {
                    changes += 1
                    if try await verifier.isGenuine(.request(changed), at: date) {
                        Issue.record("\(part): \(changed.url.text) of \(signed.url.text)")
                    }
                }
            }
        }
        expectTrue(changes > 250 * requests)
    }

    @Test("are parsed from random fields and read back, or refused, untrapped")
    func quickRun() async throws {
        try await besideOtherTests { try fuzz(cases(4000, of: 20_000), seed: 9421) }
    }

    @Test(
        "are parsed so for as many fields as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of texts")
    )
    func longRun() async throws {
        let count = try unwrap(fuzzCount)
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

private let parts: [SignedPart] = [
    .method, .authority, .target, .body, .field("Content-Type"), .field("Authorization"),
    .field("Content-Digest"), .field("Signature-Input"), .field("Signature"),
]

private func meansTheSame(
    _ part: SignedPart,
    _ left: HTTP.Request,
    _ right: HTTP.Request
) -> Bool {
    switch part {
    case .authority, .target:
        left.url.origin == right.url.origin && left.url.requestTarget == right.url.requestTarget
    case .field("Content-Digest"), .field("Signature-Input"), .field("Signature"):
        isSameDictionary(part, left, right)
    default:
        false
    }
}

private func isSameDictionary(
    _ part: SignedPart,
    _ left: HTTP.Request,
    _ right: HTTP.Request
) -> Bool {
    guard case .field(let name) = part else { return false }
    return (try? left.headers.structuredDictionary(name))
        == (try? right.headers.structuredDictionary(name))
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
        _ = try? SignatureRequest.parse(headers)
        guard let parameters = try? SignatureParameters(parsing: text) else { continue }
        accepted += 1
        let again = try SignatureParameters(parsing: parameters.serialized())
        expectEqual(again, parameters)
        let message = SignableMessage.request(.get("https://h/?a=1", headers: headers))
        _ = try? message.signatureBase(parameters)
    }
    expectTrue(accepted > count / 10)
}
