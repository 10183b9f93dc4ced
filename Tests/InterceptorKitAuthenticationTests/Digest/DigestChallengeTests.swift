import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DigestChallenge")
struct DigestChallengeTests {
    private func challenge(_ parameters: String) throws -> DigestChallenge? {
        DigestChallenge(
            try unwrap(HTTP.Challenge.parse([#"Digest realm="r", \#(parameters)"#]).first)
        )
    }

    private func strongest(_ parameters: [String], acceptsMD5: Bool = true) throws -> String? {
        let fields = parameters.map { #"Digest realm="r", \#($0)"# }
        return try DigestChallenge.strongest(
            of: HTTP.Challenge.parse(fields),
            acceptsMD5: acceptsMD5
        )?.nonce
    }

    @Test("picks the strongest, of equals the first, and MD5 only if allowed")
    func picks() throws {
        let md5 = #"nonce="m""#
        let session = #"nonce="s", algorithm=SHA-256-sess"#
        let sha256 = #"nonce="a", algorithm=SHA-256"#
        let sha512 = #"nonce="b", algorithm=SHA-512-256"#

        try expectEqual(strongest([md5, sha256, sha512, session]), "b")
        try expectEqual(strongest([md5, sha256, session]), "a")
        try expectEqual(strongest([session, sha256, md5]), "s")
        try expectEqual(strongest([md5, #"nonce="x", algorithm=SHA-3"#]), "m")
        try expectEqual(strongest([md5], acceptsMD5: false), nil)
        try expectEqual(strongest([md5, sha256], acceptsMD5: false), "a")
        try expectEqual(strongest([]), nil)
    }

    @Test(
        "reads an algorithm whatever its case",
        arguments: [
            ("", .md5, false), (", algorithm=md5", .md5, false),
            (", algorithm=MD5-Sess", .md5, true), (", algorithm=\"sha-256\"", .sha256, false),
            (", algorithm=SHA-512-256-sess", .sha512_256, true),
        ] as [(String, HashAlgorithm, Bool)]
    )
    func algorithms(parameter: String, hash: HashAlgorithm, isSession: Bool) throws {
        let read = try unwrap(challenge(#"nonce="n""# + parameter))

        expectEqual(read.hash, hash)
        expectEqual(read.isSession, isSession)
        expectEqual((read.algorithmName == nil), parameter.isEmpty)
    }

    @Test(
        "reads what may be protected, and needs one kind that it knows",
        arguments: [
            ("", nil), (#", qop="auth""#, ["auth"]), (", qop=AUTH-INT", ["auth-int"]),
            (#", qop="auth,\t new , Auth-Int""#, ["auth", "auth-int"]),
        ] as [(String, Set<String>?)]
    )
    func protections(parameter: String, names: Set<String>?) throws {
        let read = try unwrap(challenge(#"nonce="n""# + parameter))

        expectEqual(read.protections.map { Set($0.map(\.rawValue)) }, names)
        try expectEqual(challenge(#"nonce="n", qop="new""#), nil)
        try expectEqual(challenge(#"nonce="n", qop="""#), nil)
    }

    @Test("takes its flags as unset unless the server says true")
    func flags() throws {
        let plain = try unwrap(challenge(#"nonce="n", stale=false, userhash=1, charset=latin1"#))
        let full = try unwrap(challenge(#"nonce="n", stale=TRUE, userhash="true", charset=utf-8"#))

        expectEqual([plain.isStale, plain.hashesUser, plain.acceptsUTF8], [false, false, false])
        expectEqual([full.isStale, full.hashesUser, full.acceptsUTF8], [true, true, true])
    }
}
