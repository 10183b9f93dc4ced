import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

/// A scheme, how it is verified, and what it covers.
struct CoveredBytes: Sendable, CustomTestStringConvertible {
    let name: String
    let scheme: any SignatureScheme
    let rules: SignedMeaning.Rules
    /// `nil` for a scheme that is compared by the signatures it makes.
    let verify: (@Sendable (HTTP.Request, SigningKey, Date) -> Bool)?

    var testDescription: String { name }

    var parts: [OddRequest.Part] {
        var parts = rules.fields.map(OddRequest.Part.field)
        if rules.hasMethod { parts.append(.method) }
        if case .uncovered = rules.path {} else { parts.append(.path) }
        if case .uncovered = rules.query {} else { parts.append(.query) }
        if case .uncovered = rules.content {} else { parts.append(.content) }
        return parts
    }

    private init(
        _ name: String,
        _ scheme: any SignatureScheme,
        _ verify: (@Sendable (HTTP.Request, SigningKey, Date) -> Bool)?,
        _ rules: SignedMeaning.Rules
    ) {
        self.name = name
        self.scheme = scheme
        self.rules = rules
        self.verify = verify
    }

    init(_ name: String, _ scheme: TemplateScheme, _ rules: SignedMeaning.Rules) {
        self.init(name, scheme, { scheme.isGenuine($0, with: $1, date: $2) }, rules)
    }

    init(_ name: String, _ scheme: HMACScheme, _ rules: SignedMeaning.Rules) {
        self.init(name, scheme, { scheme.isGenuine($0, with: $1, date: $2) }, rules)
    }

    init(signing name: String, _ scheme: any SignatureScheme, _ rules: SignedMeaning.Rules) {
        self.init(name, scheme, nil, rules)
    }

    static let all: [CoveredBytes] = {
        let content = SignedMeaning.Rules()
        var operation = content
        operation.fields = ["Operation-Type"]
        operation.tellsAbsence = false
        var twilio = content
        twilio.path = .asWritten
        twilio.query = .asWritten
        twilio.content = .joinedForm
        var whole = content
        whole.hasMethod = true
        whole.path = .asWritten
        whole.query = .pairs(plusIsBlank: true)
        var oauth = whole
        oauth.ignoresMethodCase = true
        oauth.content = .formBesideQuery
        var acs = whole
        acs.fields = ["x-acs-note", "Content-Type"]
        var tencent = whole
        tencent.query = .asWritten
        tencent.fields = ["Content-Type"]
        tencent.values = .anyCase
        var own = whole
        own.query = .pairs(plusIsBlank: false)
        own.fields = ["Authorization", "Content-Type"]
        var aws = own
        aws.path = .segments
        aws.fields = ["x-acs-note", "Operation-Type", "Content-Type"]
        aws.values = .singleSpaced
        var s3 = aws
        s3.path = .decodedSegments
        var message = own
        message.query = .asWritten
        return [
            CoveredBytes("webhook", .webhook(), content), CoveredBytes("slack", .slack, content),
            CoveredBytes("stripe", .stripe(), content), CoveredBytes("twilio", .twilio(), twilio),
            CoveredBytes("mobileGateway", .mobileGateway(), operation),
            CoveredBytes(
                "mobileGateway, MD5",
                .mobileGateway(with: .hash(.md5), as: .hexadecimal),
                operation
            ),
            CoveredBytes("aliyunACS3", .aliyunACS3, acs),
            CoveredBytes("tencentTC3", .tencentTC3(service: "cvm"), tencent),
            CoveredBytes("oauth1", .oauth1(), oauth),
            CoveredBytes("oauth1, query", .oauth1(.hmacSHA256, in: .query), oauth),
            CoveredBytes("oauth1, form", .oauth1(in: .form), oauth),
            CoveredBytes("HMACScheme", HMACScheme(), own),
            CoveredBytes("HMACScheme, query", HMACScheme(.parameters), own),
            CoveredBytes(signing: "SigV4", AWSSignatureV4(service: "s", region: "r"), aws),
            CoveredBytes(signing: "SigV4, S3", AWSSignatureV4.s3(region: "r"), s3),
            CoveredBytes(signing: "RFC 9421", MessageSignatureScheme(), message),
        ]
    }()
}

@Suite("Signed bytes", .tags(.slow), .processorBound)
struct SignedBytesTests {
    private let key = SigningKey(id: "app-1", secret: "secret".utf8)
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    @Test(
        "are refused with any byte changed, unless the scheme ignores it",
        arguments: CoveredBytes.all
    )
    func changes(_ covered: CoveredBytes) throws {
        var odd = OddRequest(seed: 20)
        var refused = 0
        var same = 0
        let rounds = fuzzCount ?? cases(30, of: 150)
        for round in 0..<rounds {
            let request = odd.next(isForm: covered.name == "oauth1, form" || round % 2 == 0)
            guard let signed = try? sign(request, by: covered) else { continue }
            let meaning = SignedMeaning(signed, by: covered.rules)
            if let verify = covered.verify, !verify(signed, key, now) {
                Issue.record("\(covered.name) refuses its own \(describe(signed))")
            }
            for part in covered.parts {
                // What the scheme itself put at the end of query or form says the signature.
                let end =
                    part == .query
                    ? request.url.requestTarget.utf8.count
                    : request.body.inMemory?.count ?? 0
                guard let changed = odd.changing(part, of: signed, upTo: end) else { continue }
                let isSame = SignedMeaning(changed, by: covered.rules) == meaning
                if isSame { same += 1 } else { refused += 1 }
                if isGenuine(changed, signed, by: covered) != isSame {
                    Issue.record(
                        "\(covered.name), \(part): \(describe(changed)) for \(describe(signed))"
                    )
                }
            }
        }

        print(
            "signed bytes \(covered.name): \(refused) changes refused, \(same) the same by its rule"
        )
        expectTrue(refused > rounds / 2)
    }

    @Test(
        "have a signature of their own, unless the scheme equates them",
        arguments: CoveredBytes.all
    )
    func pairs(_ covered: CoveredBytes) throws {
        var odd = OddRequest(seed: 21)
        var meanings: [String: SignedMeaning] = [:]
        var signatures: [SignedMeaning: String] = [:]
        var count = 0
        let rounds = fuzzCount ?? cases(40, of: 300)
        for _ in 0..<rounds {
            guard let signed = try? sign(odd.nextShort(), by: covered) else { continue }
            let meaning = SignedMeaning(unsigned(signed, by: covered), by: covered.rules)
            let signature = signature(of: signed, by: covered)
            count += 1
            if meanings.updateValue(meaning, forKey: signature) ?? meaning != meaning {
                Issue.record("\(covered.name): \(describe(signed)) shares a signature")
            }
            if signatures.updateValue(signature, forKey: meaning) ?? signature != signature {
                Issue.record("\(covered.name): \(describe(signed)) has two signatures")
            }
        }

        print("signed bytes \(covered.name): \(signatures.count) meanings of \(count) requests")
        expectTrue(count > rounds / 2 && signatures.count > rounds / 10)
    }

    /// Without the parameter that holds the signature, as a verifier reads it.
    private func unsigned(_ signed: HTTP.Request, by covered: CoveredBytes) -> HTTP.Request {
        var request = signed
        if let front = front(of: Array(signed.url.text.utf8)) {
            request.url = HTTP.URL(unvalidated: String(decoding: front, as: UTF8.self))
        }
        if let front = front(of: Array(signed.body.inMemory ?? Data())) {
            request.body = .bytes(front)
        }
        return request
    }

    /// What stands before a signature in a query or form.
    private func front(of bytes: [UInt8]) -> [UInt8]? {
        ["&oauth_signature=", "&sign="].compactMap { bytes.firstRange(of: Array($0.utf8)) }.first
            .map { Array(bytes[..<$0.lowerBound]) }
    }

    private func signature(of signed: HTTP.Request, by covered: CoveredBytes) -> String {
        let names = covered.scheme.signatureFields
        if let name = names.contains("Authorization") ? "Authorization" : names.last {
            return signed.headers[name] ?? ""
        }
        let content = Array(signed.body.inMemory ?? Data())
        let isInContent = front(of: content) != nil
        let text = isInContent ? String(decoding: content, as: UTF8.self) : signed.url.text
        return text.split(separator: "=").last.map(String.init) ?? ""
    }

    /// Whether a server takes the changed request, or a signer would sign both alike.
    private func isGenuine(
        _ changed: HTTP.Request,
        _ signed: HTTP.Request,
        by covered: CoveredBytes
    ) -> Bool {
        if let verify = covered.verify { return verify(changed, key, now) }
        var again = changed
        for name in covered.scheme.signatureFields + ["Content-Digest"] {
            again.headers[name] = nil
        }
        guard let other = try? sign(again, by: covered) else { return false }
        return signature(of: other, by: covered) == signature(of: signed, by: covered)
    }

    private func sign(_ request: HTTP.Request, by covered: CoveredBytes) throws -> HTTP.Request {
        var request = request
        if covered.verify == nil { request.headers["Authorization"] = nil }
        let content = request.body.inMemory ?? Data()
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: now, nonce: "00ab17"),
            bodyHash: covered.scheme.bodyHash(for: request).map { $0.hash(content) }
        )
        return try covered.scheme.sign(request, context)
    }

    private func describe(_ request: HTTP.Request) -> String {
        "\(request.method) \(request.url.text) \(Array(request.headers)) "
            + "\((request.body.inMemory ?? Data()).map { $0 })"
    }
}
