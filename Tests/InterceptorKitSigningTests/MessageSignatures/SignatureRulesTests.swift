import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("SignatureRules")
struct SignatureRulesTests: MessageVerifyingSuite {
    @Test("accepts a signature within its time window, with a clock tolerance")
    func window() async throws {
        let endless = try signed(.get(orders), MessageSignatureScheme(lifetime: nil))
        let short = try signed(.get(orders), MessageSignatureScheme(lifetime: .seconds(10)))

        try await expectEqual(refusal(of: endless, after: 330), nil)
        try await expectEqual(refusal(of: endless, after: 331), .tooOld)
        try await expectEqual(refusal(of: endless, after: -30), nil)
        try await expectEqual(refusal(of: endless, after: -31), .notYetValid)
        try await expectEqual(refusal(of: short, after: 40), nil)
        try await expectEqual(refusal(of: short, after: 41), .expired)
    }

    @Test("refuses too little coverage, another tag and another algorithm")
    func requirements() async throws {
        let narrow = MessageSignatureScheme(SignatureCoverage([.method]))
        let tagged = try signed(.get(orders), MessageSignatureScheme(tag: "orders"))
        let ed25519 = MessageSignatureVerifier(keys: keys, algorithms: [.ed25519])

        try await expectEqual(refusal(of: .get(orders)), .unsigned)
        try await expectEqual(refusal(of: signed(.get(orders), narrow)), .uncovered)
        try await expectEqual(refusal(of: signed(), by: ed25519), .algorithm)
        for (tag, expected) in [("orders", nil), ("other", .unsigned)]
            as [(String, SignatureVerificationError.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, tag: tag)
            try await expectEqual(refusal(of: tagged, by: verifier), expected)
        }
        for (label, expected) in [("sig", nil), ("other", .unsigned)]
            as [(String, SignatureVerificationError.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, label: label)
            try await expectEqual(refusal(of: tagged, by: verifier), expected)
        }
    }

    @Test("refuses a body without a covered digest, or with a wrong one")
    func content() async throws {
        let post = HTTP.Request.post(orders, body: "{}")
        let bare = MessageSignatureScheme(SignatureCoverage([.method, .authority, .path, .query]))
        var changed = try signed(post)
        changed.body = "[]"
        var stream = try signed(post)
        stream.body = .oneShot(AsyncStream<Data> { $0.finish() })
        let unchecked = MessageSignatureVerifier(keys: keys, checksContent: false)

        try await expectEqual(refusal(of: signed(post)), nil)
        try await expectEqual(refusal(of: signed(post, bare)), .uncovered)
        try await expectEqual(refusal(of: changed), .content)
        try await expectEqual(refusal(of: stream), .content)
        try await expectEqual(refusal(of: stream, by: unchecked), nil)
    }
}
