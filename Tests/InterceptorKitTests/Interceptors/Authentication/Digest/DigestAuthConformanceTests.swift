import ConformanceVectors
import Foundation
import TestRun
import Testing

@testable import InterceptorKit

@Suite(
    "Digest credentials of the published exchanges",
    .tags(.vectors),
    .vectors("auth/digest-basic.json")
)
struct DigestAuthConformanceTests {
    private struct File: Decodable {
        var rfc: [Example]
        var curl: [Exchange]
    }

    private struct Example: Decodable {
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

    @Test("are as in the RFCs and curl")
    func rows() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = try decoder.decode(File.self, from: Vectors.data("auth/digest-basic.json"))
        var conformance = Conformance("digest-auth")

        for example in file.rfc {
            let parameters = try parameters(of: answer(to: example))
            let isRight =
                parameters["response"] == example.response
                && parameters["username"] == example.usernameHash ?? example.username
                && parameters["nc"] == "00000001" && parameters["qop"] == "auth"
            conformance.note(isRight, example.id)
        }
        for exchange in file.curl {
            let parameters = try answer(to: exchange).map { try self.parameters(of: $0) }
            // curl's hexadecimal digits of a hashed name and ours are compared with all else.
            conformance.note(parameters == exchange.params, exchange.origin)
        }

        print(conformance.summary)
        #expect(conformance.failures == [])
        #expect(conformance.passed == 46)
    }

    private func answer(to example: Example) throws -> DigestAnswer {
        let userhash = example.userhash == true ? ", userhash=true" : ""
        let text =
            #"Digest realm="\#(example.realm)", nonce="\#(example.nonce)", qop="\#(example.qop)", "#
            + #"algorithm=\#(example.algorithm), opaque="\#(example.opaque)"\#(userhash)"#
        let parsed = try HTTP.Challenge.parse([text])
        return DigestAnswer(
            challenge: try #require(DigestChallenge(parsed[0])),
            user: example.username,
            password: example.password,
            method: example.method,
            target: example.uri,
            count: 1,
            clientNonce: example.cnonce,
            protection: .auth
        )
    }

    /// The answer to that of the challenges which curl answered.
    private func answer(to exchange: Exchange) throws -> DigestAnswer? {
        let challenges = try HTTP.Challenge.parse(exchange.challenges)
            .compactMap(DigestChallenge.init)
        let challenge = challenges.first {
            $0.nonce == exchange.params["nonce"] && $0.realm == exchange.params["realm"]
        }
        guard let challenge, let target = exchange.params["uri"] else { return nil }
        return DigestAnswer(
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

    private func parameters(of answer: DigestAnswer) throws -> [String: String] {
        let parsed = try HTTP.Challenge.parse([answer.fieldValue])[0].parameters
        return Dictionary(parsed.map { ($0.name, $0.value) }) { _, last in last }
    }
}
