import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("DigestInterceptor, user names")
struct DigestNameTests {
    private func answer(_ user: String, to parameters: String) throws -> String {
        let text = #"Digest realm="r", nonce="n1", qop="auth", algorithm=SHA-256\#(parameters)"#
        let challenge = try #require(DigestChallenge(HTTP.Challenge.parse([text])[0]))
        return DigestAnswer(
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
        "are sent as UTF-8 in a quoted string to a server without charset",
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
        let answer = try answer(user, to: "")

        #expect(
            answer == "Digest \(parameter), realm=\"r\", nonce=\"n1\", uri=\"/orders\", "
                + "cnonce=\"c1\", nc=00000001, qop=auth, response=\"\(response)\", "
                + "algorithm=SHA-256"
        )
    }

    @Test(
        "beyond ASCII are sent as username* to a server with charset=UTF-8",
        arguments: [
            ("jürgen", "username*=UTF-8''j%C3%BCrgen,"),
            ("日本", "username*=UTF-8''%E6%97%A5%E6%9C%AC,"),
            ("user", #"username="user","#), (#"a"b"#, #"username="a\"b","#),
        ]
    )
    func withCharset(user: String, parameter: String) throws {
        for offer in [", charset=UTF-8", #", charset="utf-8""#] {
            #expect(try answer(user, to: offer).hasPrefix("Digest \(parameter) realm"))
        }
        #expect(!(try answer(user, to: ", charset=latin1").contains("username*")))
    }

    @Test(
        "that are invalid are refused when a pipeline is built",
        arguments: ["a:b", "a\nb", "a\u{0}", "a\u{7F}"]
    )
    func impossible(user: String) throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])

        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: transport) {
                DigestInterceptor(user: user, password: "", origins: ["https://a.example"])
            }
        }

        #expect(error.map { "\($0)".contains("user name") } == true)
        #expect(error.map { "\($0)".contains(user) } == false)
    }
}
