import ConformanceVectors
import Expectations
import Foundation
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("Digest credentials of the published exchanges")
struct DigestAuthConformanceTests {
    private struct File: Decodable {
        var rfc: [Example]
        var curl: [Exchange]
    }

    struct Example: Decodable, Sendable {
        var id: String
        var algorithm: String
        var username: String
        var realm: String
        var password: String
        var method: String
        var uri: String
        var nonce: String
        var cnonce: String
        var qop: String
        var opaque: String
        var userhash: Bool?
        var usernameHash: String?
        var response: String
    }

    private struct Exchange: Decodable {
        var origin: String
        var username: String
        var password: String
        var method: String
        var challenges: [String]
        var authorization: String
        var params: [String: String]
    }

    // RFC 7616 prints its answers by SHA-512-256 wrongly; these are those of erratum 4897.
    @Test(
        "answers as RFC 2617 section 3.5 and RFC 7616 section 3.9 do",
        arguments: [
            Example(
                id: "RFC 2617 section 3.5",
                algorithm: "MD5",
                username: "Mufasa",
                realm: "testrealm@host.com",
                password: "Circle Of Life",
                method: "GET",
                uri: "/dir/index.html",
                nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
                cnonce: "0a4f113b",
                qop: "auth",
                opaque: "5ccc069c403ebaf9f0171e9517f40e41",
                response: "6629fae49393a05397450978507c4ef1"
            ),
            Example(
                id: "RFC 7616 section 3.9.1",
                algorithm: "SHA-256",
                username: "Mufasa",
                realm: "http-auth@example.org",
                password: "Circle of Life",
                method: "GET",
                uri: "/dir/index.html",
                nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
                cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
                qop: "auth",
                opaque: "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
                response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            Example(
                id: "RFC 7616 section 3.9.2",
                algorithm: "SHA-512-256",
                username: "J\u{E4}s\u{F8}n Doe",
                realm: "api@example.org",
                password: "Secret, or not?",
                method: "GET",
                uri: "/doe.json",
                nonce: "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
                cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
                qop: "auth",
                opaque: "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS",
                userhash: true,
                usernameHash: "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b",
                response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"
            ),
        ]
    )
    func examples(example: Example) throws {
        let parameters = try parameters(of: authorization(to: example))

        expectEqual(parameters["response"], example.response)
        expectEqual(parameters["username"], example.usernameHash ?? example.username)
    }

    @Test("are as in the RFCs and curl", .tags(.vectors), .vectors("auth/digest-basic.json"))
    func rows() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = try decoder.decode(File.self, from: Vectors.data("auth/digest-basic.json"))
        var conformance = Conformance("digest-auth")

        for example in file.rfc {
            let parameters = try parameters(of: authorization(to: example))
            let isRight =
                parameters["response"] == example.response
                && parameters["username"] == example.usernameHash ?? example.username
                && parameters["nc"] == "00000001" && parameters["qop"] == "auth"
            conformance.note(isRight, example.id)
        }
        for exchange in file.curl {
            let parameters = try authorization(to: exchange).map { try self.parameters(of: $0) }
            // curl's hexadecimal digits of a hashed name and ours are compared with all else.
            conformance.note(parameters == exchange.params, exchange.origin)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 46)
    }

    private func authorization(to example: Example) throws -> DigestAuthorization {
        let userhash = example.userhash == true ? ", userhash=true" : ""
        let text =
            #"Digest realm="\#(example.realm)", nonce="\#(example.nonce)", qop="\#(example.qop)", "#
            + #"algorithm=\#(example.algorithm), opaque="\#(example.opaque)"\#(userhash)"#
        let parsed = try HTTP.Challenge.parse([text])
        return DigestAuthorization(
            challenge: try unwrap(DigestChallenge(parsed[0])),
            user: example.username,
            password: example.password,
            method: example.method,
            target: example.uri,
            count: 1,
            clientNonce: example.cnonce,
            protection: .auth
        )
    }

    /// The response to that of the challenges which curl answered.
    private func authorization(to exchange: Exchange) throws -> DigestAuthorization? {
        let challenges = try HTTP.Challenge.parse(exchange.challenges)
            .compactMap(DigestChallenge.init)
        let challenge = challenges.first {
            $0.nonce == exchange.params["nonce"] && $0.realm == exchange.params["realm"]
        }
        guard let challenge, let target = exchange.params["uri"] else { return nil }
        return DigestAuthorization(
            challenge: challenge,
            user: exchange.username,
            password: exchange.password,
            method: exchange.method,
            target: target,
            count: 1,
            clientNonce: exchange.params["cnonce"] ?? "",
            protection: challenge.protections == nil ? nil : .auth
        )
    }

    private func parameters(of authorization: DigestAuthorization) throws -> [String: String] {
        let parsed = try HTTP.Challenge.parse([authorization.fieldValue])[0].parameters
        return Dictionary(parsed.map { ($0.name, $0.value) }) { _, last in last }
    }
}
