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

        #expect(try await refusal(of: endless, after: 330) == nil)
        #expect(try await refusal(of: endless, after: 331) == .tooOld)
        #expect(try await refusal(of: endless, after: -30) == nil)
        #expect(try await refusal(of: endless, after: -31) == .notYetValid)
        #expect(try await refusal(of: short, after: 40) == nil)
        #expect(try await refusal(of: short, after: 41) == .expired)
    }

    @Test("refuses too little coverage, another tag and another algorithm")
    func requirements() async throws {
        let narrow = MessageSignatureScheme(SignatureCoverage([.method]))
        let tagged = try signed(.get(orders), MessageSignatureScheme(tag: "orders"))
        let ed25519 = MessageSignatureVerifier(keys: keys, algorithms: [.ed25519])

        #expect(try await refusal(of: .get(orders)) == .unsigned)
        #expect(try await refusal(of: signed(.get(orders), narrow)) == .uncovered)
        #expect(try await refusal(of: signed(), by: ed25519) == .algorithm)
        for (tag, expected) in [("orders", nil), ("other", .unsigned)]
            as [(String, SignatureVerificationError.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, tag: tag)
            #expect(try await refusal(of: tagged, by: verifier) == expected)
        }
        for (label, expected) in [("sig", nil), ("other", .unsigned)]
            as [(String, SignatureVerificationError.Code?)]
        {
            let verifier = MessageSignatureVerifier(keys: keys, label: label)
            #expect(try await refusal(of: tagged, by: verifier) == expected)
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

        #expect(try await refusal(of: signed(post)) == nil)
        #expect(try await refusal(of: signed(post, bare)) == .uncovered)
        #expect(try await refusal(of: changed) == .content)
        #expect(try await refusal(of: stream) == .content)
        #expect(try await refusal(of: stream, by: unchecked) == nil)
    }
}
