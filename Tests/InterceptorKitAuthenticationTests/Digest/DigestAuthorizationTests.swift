import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DigestAuthorization")
struct DigestAuthorizationTests {
    private func authorization(
        _ user: String,
        to parameters: String,
        realm: String = "r"
    ) throws -> String {
        let text =
            #"Digest realm="\#(realm)", nonce="n1", qop="auth", algorithm=SHA-256\#(parameters)"#
        let challenge = try unwrap(DigestChallenge(HTTP.Challenge.parse([text])[0]))
        return DigestAuthorization(
            challenge: challenge,
            user: user,
            password: "secret",
            method: "GET",
            target: "/orders",
            count: 1,
            clientNonce: "c1",
            protection: .auth
        ).fieldValue
    }

    // The responses are those of an implementation on Python's hashlib.
    @Test(
        "writes a name as UTF-8 in a quoted string for a server without charset",
        arguments: [
            (
                "jürgen", #"username="jürgen""#,
                "40e0df2d72c74bacbd955b180087871e9f2733593f49c7444825101125d3674b"
            ),
            (
                "日本", #"username="日本""#,
                "42166890a543e8b3ab3a226da39342164e053eef9c5a86ab5f21f862f48d5c59"
            ),
            (
                #"a"b\c"#, #"username="a\"b\\c""#,
                "1a9fe23abf011457938ab374e16ac9c435585e3d49c0a2f4ed78655ab6a6c8fd"
            ),
        ]
    )
    func withoutCharset(user: String, parameter: String, response: String) throws {
        let authorization = try authorization(user, to: "")

        expectEqual(
            authorization,
            "Digest \(parameter), realm=\"r\", nonce=\"n1\", uri=\"/orders\", "
                + "cnonce=\"c1\", nc=00000001, qop=auth, response=\"\(response)\", "
                + "algorithm=SHA-256"
        )
    }

    @Test(
        "writes a name beyond ASCII as username* for one with charset=UTF-8",
        arguments: [
            ("jürgen", "username*=UTF-8''j%C3%BCrgen,"),
            ("日本", "username*=UTF-8''%E6%97%A5%E6%9C%AC,"),
            ("user", #"username="user","#), (#"a"b"#, #"username="a\"b","#),
        ]
    )
    func withCharset(user: String, parameter: String) throws {
        for offer in [", charset=UTF-8", #", charset="utf-8""#] {
            try expectTrue(authorization(user, to: offer).hasPrefix("Digest \(parameter) realm"))
        }
        expectTrue(!(try authorization(user, to: ", charset=latin1").contains("username*")))
    }

    @Test("hashes the bytes of a realm that is not UTF-8")
    func realmBytes() throws {
        let value = try authorization("user", to: "", realm: "r\u{EFE9}")

        expectTrue(
            value.contains(
                "54575c195bc8234a8192f231c534fc0ca116ef3406e5078eb75ce73ffa45ae07"
            )
        )
    }

    private func authorization(count: UInt32) throws -> DigestAuthorization {
        let text = #"Digest realm="r", nonce="n1", qop="auth""#
        return DigestAuthorization(
            challenge: try unwrap(DigestChallenge(HTTP.Challenge.parse([text])[0])),
            user: "user",
            password: "secret",
            method: "GET",
            target: "/orders",
            count: count,
            clientNonce: "c1",
            protection: .auth
        )
    }

    @Test(
        "counts in eight hexadecimal digits",
        arguments: [(1, "00000001"), (255, "000000ff"), (.max, "ffffffff")] as [(UInt32, String)]
    )
    func counts(count: UInt32, digits: String) throws {
        try expectTrue(authorization(count: count).fieldValue.contains("nc=\(digits), "))
    }

    @Test(
        "matches its own count and nonce, or none",
        arguments: [
            (nil, nil, true), ("000000ff", "c1", true), ("000000FF", nil, true),
            (nil, "c1", true), ("ff", "c1", false), ("000000fe", "c1", false),
            (nil, "C1", false), ("000000ff", "c2", false),
        ] as [(String?, String?, Bool)]
    )
    func matching(count: String?, nonce: String?, matches: Bool) throws {
        try expectEqual(
            authorization(count: 255).matches(count: count, clientNonce: nonce),
            matches
        )
    }
}
