import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@Suite("SigV4 signatures of random requests")
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
        "verify as they were signed, and not with any byte of anything covered changed",
        arguments: schemes
    )
    func tampering(_ name: String, _ scheme: AWSSignatureV4) async throws {
        var random = SeededGenerator(seed: 4)
        let verifier = verifier(scheme)
        var changes = 0
        for _ in 0..<25 {
            var request = randomRequest(&random)
            request.headers["X-Amz-Meta-Note"] = "a  b"
            let signed = try scheme.sign(request, context)
            #expect(try await verifier.isGenuine(signed, at: date), "\(signed.url.text)")
            for part in Part.allCases where part.isCovered(by: scheme) {
                for offset in 0..<part.text(of: signed).count {
                    guard let changed = part.changed(signed, at: offset, &random) else { continue }
                    changes += 1
                    if try await verifier.isGenuine(changed, at: date) {
                        Issue.record(
                            "\(part) byte \(offset): \(changed.url.text) of \(signed.url.text)"
                        )
                    }
                }
            }
        }
        #expect(changes > 2000)
    }

    @Test("are refused with fields, URLs and bodies of any kind, and never trap")
    func quickRun() async throws {
        try await fuzz(5000, seed: 4)
    }

    @Test(
        "do so for as many requests as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of requests")
    )
    func longRun() async throws {
        let count = try #require(fuzzCount)
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
                changed.url = HTTP.URL(mutated(signed.url.text, &random))
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
        #expect(accepted < count / 2)
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

private let fuzzCount = ProcessInfo.processInfo.environment["INTERCEPTORKIT_FUZZ"].flatMap {
    Int($0)
}

/// What a signature covers, and the signature itself.
private enum Part: CaseIterable {
    case method, authority, target, body, date, note, type, hash, token, signature

    private var field: String? {
        switch self {
        case .date: "X-Amz-Date"
        case .note: "X-Amz-Meta-Note"
        case .type: "Content-Type"
        case .hash: "X-Amz-Content-Sha256"
        case .token: "X-Amz-Security-Token"
        case .signature: "Authorization"
        default: nil
        }
    }

    func isCovered(by scheme: AWSSignatureV4) -> Bool {
        switch self {
        case .body: scheme.payload == .signed
        case .signature: scheme.location == .field
        default: true
        }
    }

    func text(of request: HTTP.Request) -> [UInt8] {
        switch self {
        case .method: Array(request.method.rawValue.utf8)
        case .authority: Array((request.url.origin?.authority ?? "").utf8)
        case .target: Array(request.url.requestTarget.utf8)
        case .body: Array(request.body.inMemory ?? Data())
        default: Array((field.flatMap { request.headers[$0] } ?? "").utf8)
        }
    }

    /// The request with a bit of one byte turned; `nil` if that cannot be sent or means the same.
    func changed(
        _ request: HTTP.Request,
        at offset: Int,
        _ random: inout SeededGenerator
    ) -> HTTP.Request? {
        var bytes = text(of: request)
        bytes[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
        var changed = request
        if self == .body {
            changed.body = .bytes(bytes)
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

    // Another spelling of an escape, an empty parameter, a segment that goes nowhere, a blank more.
    private func meansTheSame(_ left: HTTP.Request, _ right: HTTP.Request) -> Bool {
        switch self {
        case .authority, .target: meaning(of: left.url) == meaning(of: right.url)
        default:
            field.map { meaning(of: left.headers[$0]) == meaning(of: right.headers[$0]) } ?? false
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
}
