import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("SigV4 signatures of random requests", .tags(.slow), .processorBound)
struct AWSSignaturePropertyTests {
    private let date = Date(timeIntervalSince1970: 1_440_938_160)

    private var context: SigningContext {
        var key = SigningKey(id: "AKID", secret: "s3cret".utf8)
        key.token = "to+ken/="
        return SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))
    }

    private func verifier(_ scheme: AWSSignatureV4) -> AWSSignatureV4Verifier {
        var key = VerificationKey(id: "AKID", secret: "s3cret".utf8)
        key.token = "to+ken/="
        return AWSSignatureV4Verifier(scheme, keys: FixedVerificationKeys([key]))
    }

    private static let schemes: [(String, AWSSignatureV4)] = {
        var presigned = AWSSignatureV4(service: "service", region: "us-east-1")
        presigned.location = .query(validFor: .seconds(60))
        var s3 = AWSSignatureV4.s3(region: "us-east-1", payload: .unsigned)
        s3.location = .query(validFor: .seconds(60))
        var late = AWSSignatureV4(service: "service", region: "us-east-1")
        late.signsToken = false
        return [
            ("field", AWSSignatureV4(service: "service", region: "us-east-1")),
            ("S3", .s3(region: "us-east-1")), ("presigned", presigned), ("S3, presigned", s3),
            ("token not covered", late),
        ]
    }()

    @Test(
        "verify as signed, and not with any covered byte changed",
        arguments: schemes
    )
    func tampering(_ name: String, _ scheme: AWSSignatureV4) async throws {
        var random = SeededGenerator(seed: 4)
        let verifier = verifier(scheme)
        var changes = 0
        let requests = cases(3, of: 25)
        for _ in 0..<requests {
            var request = randomRequest(&random)
            request.headers["X-Amz-Meta-Note"] = "a  b"
            let signed = try scheme.sign(request, context)
            try await expectTrue(verifier.isGenuine(signed, at: date), "\(signed.url.text)")
            for part in parts(coveredBy: scheme) {
                for changed in part.changes(of: signed, &random)
                where !meansTheSame(part, changed, signed) {
                    changes += 1
                    if try await verifier.isGenuine(changed, at: date) {
                        Issue.record("\(part): \(changed.url.text) of \(signed.url.text)")
                    }
                }
            }
        }
        expectTrue(changes > 80 * requests)
    }

    @Test("are refused for arbitrary fields, URLs and bodies, without a trap")
    func quickRun() async throws {
        try await fuzz(cases(600, of: 5000), seed: 4)
    }

    @Test(
        "are refused so for as many requests as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of requests")
    )
    func longRun() async throws {
        let count = try unwrap(fuzzCount)
        try await fuzz(count, seed: 1_440)
        print("fuzz SigV4: \(count) requests")
    }

    /// Signed requests with bytes changed, put in, doubled or left out anywhere.
    private func fuzz(_ count: Int, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let rows = Self.schemes.map { ($0.1, verifier($0.1)) }
        var accepted = 0
        var signed = HTTP.Request.get("https://h.example/")
        for round in 0..<count {
            let (scheme, verifier) = rows[round % rows.count]
            signed = try scheme.sign(randomRequest(&random), context)
            var changed = signed
            switch Int.random(in: 0...2, using: &random) {
            case 0:
                changed.url = HTTP.URL(unvalidated: mutated(signed.url.text, &random))
            case 1:
                let fields = signed.headers.map { ($0.name, $0.value) }
                let place = Int.random(in: 0...fields.count, using: &random)
                changed.headers = HTTP.Headers(
                    fields.enumerated().map { index, field in
                        index == place ? (field.0, mutated(field.1, &random)) : field
                    }
                )
            default:
                changed.headers["Authorization"] = mutated(
                    signed.headers["Authorization"] ?? "AWS4-HMAC-SHA256 Credential=",
                    &random
                )
            }
            if try await verifier.isGenuine(changed, at: date) { accepted += 1 }
            _ = try? scheme.sign(changed, context)
        }
        // Some changes mean nothing, such as a blank or a fragment.
        expectTrue(accepted < count / 2)
    }

    private func mutated(_ text: String, _ random: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.removeLast(bytes.count - place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private func parts(coveredBy scheme: AWSSignatureV4) -> [SignedPart] {
    var parts: [SignedPart] = [
        .method, .authority, .target, .field("X-Amz-Date"), .field("X-Amz-Meta-Note"),
        .field("Content-Type"), .field("X-Amz-Content-Sha256"), .field("X-Amz-Security-Token"),
    ]
    if scheme.payload == .signed { parts.append(.body) }
    if scheme.location == .field { parts.append(.field("Authorization")) }
    return parts
}

// Another spelling of an escape, an empty parameter, a segment that goes nowhere, a blank more.
private func meansTheSame(
    _ part: SignedPart,
    _ left: HTTP.Request,
    _ right: HTTP.Request
) -> Bool {
    switch part {
    case .authority, .target: meaning(of: left.url) == meaning(of: right.url)
    case .field(let name): meaning(of: left.headers[name]) == meaning(of: right.headers[name])
    case .method, .body: false
    }
}

private func meaning(of url: HTTP.URL) -> [String] {
    let path = url.normalized.path.split(separator: "/").map {
        HTTP.URL("\(raw: "/" + $0)").path
    }
    let pairs = url.queryParameters.map { "\($0.name)=\($0.value)" }.sorted()
    return [
        url.origin?.authority ?? "", path.joined(separator: "/").removingPercentEncoding ?? "",
    ]
        + pairs
}

private func meaning(of value: String?) -> [Substring] {
    (value ?? "").split { $0 == " " || $0 == "\t" }
}
