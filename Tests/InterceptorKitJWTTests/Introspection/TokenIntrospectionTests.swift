#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitJWT

@Suite("TokenIntrospection")
struct TokenIntrospectionTests {
    private static let alice = #"{"active":true,"sub":"alice","iss":"i"}"#
    private static let inactive = #"{"active":false}"#

    private static func outcome(
        _ response: HTTP.Response,
        issuer: String? = nil,
        audience: Set<String>? = nil,
        subject: String = "sub",
        token: String = "t-1"
    ) throws -> String {
        try Simulation.run(seed: 1) { simulation in
            let world = try IntrospectionWorld(
                simulation,
                issuer: issuer,
                audience: audience,
                subject: subject
            ) { _ in response }
            return await world.outcome(token)
        }
    }

    @Test(
        "believes what RFC 7662 defines, and nothing else",
        arguments: [
            (#"{"active":true,"sub":"alice"}"#, "https://login.example.com/introspect alice"),
            (#"{"active":true,"sub":"alice","iss":"i"}"#, "i alice"),
            (#"{"active":true,"sub":"a","iss":"i","exp":NOW,"nbf":NOW,"scope":null}"#, "i a"),
            (#"{"active":true,"sub":"alice","iss":"i","exp":4e9,"nbf":1.5}"#, "i alice"),
            (#"{"active":false,"sub":"alice"}"#, "notActive"),
            (#"{"active":true,"iss":"i"}"#, "missingClaim"),
            (#"{"active":true,"sub":""}"#, "missingClaim"),
            (#"{"active":true,"sub":"alice","exp":1}"#, "expired"),
            (#"{"active":true,"sub":"alice","nbf":4e9}"#, "notYetValid"),
            (#"{"active":true,"sub":"alice","cnf":{"kid":"k"}}"#, "binding"),
            (#"{"active":"true","sub":"alice"}"#, "malformedIntrospection 503"),
            (#"{"active":1,"sub":"alice"}"#, "malformedIntrospection 503"),
            (#"{"active":null,"sub":"alice"}"#, "malformedIntrospection 503"),
            (#"{"sub":"alice"}"#, "malformedIntrospection 503"),
            (#"{"active":false,"active":true,"sub":"alice"}"#, "malformedIntrospection 503"),
            (#"[{"active":true,"sub":"alice"}]"#, "malformedIntrospection 503"),
            (#"{"active":true,"sub":"alice""#, "malformedIntrospection 503"),
            (#"{"active":true,"sub":7}"#, "malformedIntrospection 503"),
            (#"{"active":true,"sub":"alice","exp":"1"}"#, "malformedIntrospection 503"),
            (#"{"active":true,"sub":"alice","exp":1e400}"#, "malformedIntrospection 503"),
            (#"{"active":true,"sub":"alice","exp":-1}"#, "malformedIntrospection 503"),
            ("eyJ0eXAiOiJ0b2tlbi1pbnRyb3NwZWN0aW9uK2p3dCJ9.e30.c2ln", "malformedIntrospection 503"),
            ("", "malformedIntrospection 503"),
            (
                #"{"active":true,"sub":"\#(String(repeating: "a", count: 65_536))"}"#,
                "malformedIntrospection 503"
            ),
        ]
    )
    func answers(json: String, expected: String) throws {
        expectEqual(try Self.outcome(IntrospectionWorld.answer(json)), expected)
    }

    @Test(
        "answers 503 where the server does not say, and never lets a call pass",
        arguments: [201, 204, 301, 307, 400, 401, 403, 404, 429, 500, 503]
    )
    func statuses(status: Int) throws {
        let response = HTTP.Response(HTTP.Status(status), body: .text(Self.alice))

        expectEqual(try Self.outcome(response), "unreachable 503")
    }

    @Test("checks the issuer and the audience that it is given, byte for byte")
    func recipients() throws {
        let named = IntrospectionWorld.answer(
            #"{"active":true,"sub":"a","iss":"\u00e9","aud":["x","api"]}"#
        )
        let bare = IntrospectionWorld.answer(#"{"active":true,"client_id":"c"}"#)
        let subject = IntrospectionWorld.answer(#"{"active":true,"sub":"a"}"#)

        expectEqual(try Self.outcome(named, issuer: "e\u{301}"), "issuer")
        expectEqual(try Self.outcome(named, audience: ["y"]), "audience")
        expectEqual(try Self.outcome(subject, audience: ["api"]), "missingClaim")
        expectEqual(try Self.outcome(subject, issuer: "i"), "i a")
        expectEqual(try Self.outcome(bare, issuer: "i", subject: "client_id"), "i c")
        let isMeant = try Self.outcome(named, issuer: "\u{E9}", audience: ["api"])
        expectTrue(isMeant.hasPrefix("sha256:"))
    }

    @Test("asks about no token that cannot be one")
    func tokens() throws {
        let answer = IntrospectionWorld.answer(Self.alice)
        for token in ["", "a b", "a\n", "é", "a\0"] {
            expectEqual(try Self.outcome(answer, token: token), "malformed")
        }
        expectEqual(
            try Self.outcome(answer, token: String(repeating: "a", count: 16_385)),
            "tooLong"
        )
        expectEqual(
            try Self.outcome(answer, token: String(repeating: "a", count: 16_384)),
            "i alice"
        )
    }

    @Test("hands on what the server says, other members as a type of yours")
    func claims() throws {
        struct Other: Decodable { let tenant: String }
        let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
        let json = """
            {"active":true,"sub":"alice","iss":"i","scope":"a b","client_id":"app","jti":"7","acr":"mfa",\
            "auth_time":100,"exp":4000000000,"cnf":{"jkt":"\(thumbprint)"},"tenant":"acme"}
            """
        let token = try Simulation.run(seed: 1) { simulation in
            let world = try IntrospectionWorld(simulation) { _ in IntrospectionWorld.answer(json) }
            return try await world.verifier.verify("t", on: Call(runtime: simulation.runtime))
        }

        expectEqual(token.principal.scopes, ["a", "b"])
        expectEqual(token.principal.clientID, "app")
        expectEqual(token.principal.expiry, Date(timeIntervalSince1970: 4_000_000_000))
        expectEqual([token.id, token.authenticationContext], ["7", "mfa"])
        expectEqual(token.authenticationTime, Date(timeIntervalSince1970: 100))
        expectEqual(token.keyThumbprint, thumbprint)
        expectEqual(try token.claims(as: Other.self).tenant, "acme")
    }

    @Test(
        "believes a response for its time, and never beyond the token's",
        arguments: [
            (#"{"active":true,"sub":"a"}"#, 59, 1), (#"{"active":true,"sub":"a"}"#, 61, 2),
            (#"{"active":true,"sub":"a","exp":NOW}"#, 0, 2), (inactive, 4, 1), (inactive, 6, 2),
        ]
    )
    func lifetimes(json: String, seconds: Int, requests: Int) throws {
        let count = try Simulation.run(seed: 1) { simulation in
            let world = try IntrospectionWorld(simulation) { _ in IntrospectionWorld.answer(json) }
            _ = await world.outcome()
            try await world.wait(.seconds(seconds))
            _ = await world.outcome()
            return world.server.sent.count
        }

        expectEqual(count, requests)
    }

    @Test("asks each time with a lifetime of zero, and again after a failure")
    func unkept() throws {
        for (active, json, requests) in [(Duration.zero, Self.alice, 2), (.seconds(60), "", 2)] {
            let count = try Simulation.run(seed: 1) { simulation in
                let world = try IntrospectionWorld(simulation, active: active) { _ in
                    IntrospectionWorld.answer(json)
                }
                for _ in 0..<2 { _ = await world.outcome() }
                return world.server.sent.count
            }
            expectEqual(count, requests)
        }
    }

    @Test("a flood of invented tokens pushes out no active one, in bounded memory")
    func flood() throws {
        let (asked, kept) = try Simulation.run(seed: 1) { simulation in
            let world = try IntrospectionWorld(simulation, capacity: 20) { token in
                IntrospectionWorld.answer(token.hasPrefix("good") ? Self.alice : Self.inactive)
            }
            for number in 0..<8 { _ = await world.outcome("good-\(number)") }
            for number in 0..<500 { _ = await world.outcome("bad-\(number)") }
            let before = world.server.sent.count
            for number in 0..<8 { _ = await world.outcome("good-\(number)") }
            // The same for active ones: those in use stay.
            for number in 0..<500 {
                _ = await world.outcome("good-x\(number)")
                _ = await world.outcome("good-1")
            }
            return (world.server.sent.count - before, world.verifier.keptAnswers)
        }

        expectEqual(asked, 500)
        expectTrue(kept <= 40)
    }

    @Test("asks once for all callers of a token, whichever of them leaves")
    func shared() async throws {
        let (outcomes, requests) = try await onEverySeed(0..<20) { simulation in
            let world = try IntrospectionWorld(simulation, delay: .seconds(2)) { _ in
                IntrospectionWorld.answer(Self.alice)
            }
            let first = Task { await world.outcome() }
            try await world.wait(.milliseconds(10))
            let outcomes = await withTaskGroup { group in
                for _ in 0..<50 { group.addTask { await world.outcome() } }
                group.addTask {
                    try? await world.wait(.milliseconds(10))
                    first.cancel()
                    return await first.value
                }
                group.addTask { await world.outcome(within: .seconds(1)) }
                return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            return (outcomes, world.server.sent.count)
        }

        expectEqual(outcomes, ["i alice": 50, "CancellationError": 1, "timedOut 503": 1])
        expectEqual(requests, 1)
    }

    @Test("a caller without time left ends no one else's wait")
    func impatient() async throws {
        let outcomes = try await onEverySeed(0..<20) { simulation in
            let world = try IntrospectionWorld(simulation, delay: .seconds(2)) { _ in
                IntrospectionWorld.answer(Self.alice)
            }
            async let first = world.outcome(within: .seconds(1))
            try await world.wait(.milliseconds(10))
            async let second = world.outcome(within: .seconds(10))
            return [await first, await second]
        }

        expectEqual(outcomes, ["timedOut 503", "i alice"])
    }

    @Test("shows the token nowhere but in the form that it sends")
    func secrecy() async throws {
        let token = "s3cr3t-t0k3n"
        for response in [
            HTTP.Response(500, body: .text(token)), IntrospectionWorld.answer(token),
            IntrospectionWorld.answer(Self.inactive),
        ] {
            let (texts, sent) = try Simulation.run(seed: 1) { simulation in
                let world = try IntrospectionWorld(simulation) { _ in response }
                let events = RecordingEventSink()
                let call = Call(runtime: simulation.runtime, events: events)
                var texts: [String] = []
                do {
                    _ = try await world.verifier.verify(token, on: call)
                } catch {
                    var text = "\(error)"
                    dump(error, to: &text)
                    dump(world.verifier, to: &text)
                    texts.append(text)
                }
                texts += events.events.map { "\($0.name) \($0.attributes)" }
                return (texts, world.server.sent.map(\.input))
            }
            expectTrue(!texts.isEmpty && !texts.joined().contains(token))
            expectEqual(sent.map(\.url), [IntrospectionWorld.url])
            expectTrue(sent.allSatisfy { !"\($0.headers)".contains(token) })
            let form = try await HTTP.Response(body: unwrap(sent.first).body).text()
            expectEqual(form, "token=\(token)&token_type_hint=access_token")
        }
    }

    @Test("refuses settings that cannot work")
    func settings() throws {
        let client = HTTP.Client(transport: ScriptedTransport<HTTP.Request>(replies: []))
        let verifiers = [
            TokenIntrospection(at: "/introspect", client: client),
            TokenIntrospection(at: IntrospectionWorld.url, client: client, issuer: ""),
            TokenIntrospection(at: IntrospectionWorld.url, client: client, audience: []),
            TokenIntrospection(at: IntrospectionWorld.url, client: client, subject: ""),
            TokenIntrospection(at: IntrospectionWorld.url, client: client, leeway: .seconds(601)),
            TokenIntrospection(
                at: IntrospectionWorld.url,
                client: client,
                activeLifetime: .seconds(-1)
            ),
        ]
        for verifier in verifiers { #expect(throws: SettingError.self) { try verifier.validate() } }
        try TokenIntrospection(at: IntrospectionWorld.url, client: client).validate()
    }
}
#endif
