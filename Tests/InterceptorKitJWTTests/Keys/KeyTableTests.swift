#if JWT
import Expectations
import Foundation
import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitJWT

@Suite("KeyTable")
struct KeyTableTests {
    @Test("finds keys by id and algorithm, those with the same id all")
    func candidates() async throws {
        let table = try await KeyTable(
            json: set([
                key("a"), key("a", alg: "Ed25519"), key("b"), key(nil), #"{"kty":"oct","k":"AA"}"#,
                "7", "null",
            ])
        )

        expectEqual(table.keys(for: "a", "EdDSA").count, 1)
        expectEqual(table.keys(for: "a", "Ed25519").count, 2)
        expectEqual(table.keys(for: "b", "EdDSA").count, 1)
        expectEqual(table.keys(for: nil, "EdDSA").map(\.id), ["a", "b", nil])
        for (id, algorithm) in [("c", "EdDSA"), ("", "EdDSA"), ("a", "RS256"), (nil, "none")] {
            expectTrue(table.keys(for: id, algorithm).isEmpty)
        }
        expectTrue(table.knows("b") && !table.knows("c") && !table.knows(nil))
    }

    @Test("tries no token with more than 8 keys")
    func bounded() async throws {
        let table = try await KeyTable(json: set(Array(repeating: key("a"), count: 1000)))

        expectEqual(table.keys(for: "a", "EdDSA").count, 8)
        expectEqual(table.keys(for: nil, "EdDSA").count, 8)
    }

    @Test(
        "refuses what is no set, too large, or of no use",
        arguments: [
            ("", .malformedKeys), ("[]", .malformedKeys), ("{}", .malformedKeys),
            (#"{"keys":{}}"#, .malformedKeys), ("<html></html>", .malformedKeys),
            (#"{"keys":[]}"#, .noKeys), (#"{"keys":[{"kty":"oct","k":"AA"}]}"#, .noKeys),
            (set(Array(repeating: key("a"), count: 1001)).text, .malformedKeys),
            (set([key("a")]).text + String(repeating: " ", count: 512 * 1024), .malformedKeys),
            (String(repeating: #"{"keys":["#, count: 20_000), .malformedKeys),
        ] as [(String, AuthorizationServerError.Code)]
    )
    func refused(_ json: String, _ code: AuthorizationServerError.Code) async {
        let error = await failure(of: AuthorizationServerError.self) {
            try await JSONWebKeySet(json: Data(json.utf8))
        }

        expectEqual(error?.code, code)
    }

    @Test("gives fixed keys at once, and never waits")
    func fixed() async throws {
        let keys = try await JSONWebKeySet(json: set([key("a")]))

        expectEqual(try await keys.keys(for: "a", algorithm: "EdDSA", on: Call()).count, 1)
        expectEqual(try await keys.keys(for: "b", algorithm: "EdDSA", on: Call()).count, 0)
    }
}

/// A key, of which only the id differs.
func key(_ id: String?, alg: String? = nil) -> String {
    let id = id.map { #","kid":"\#($0)""# } ?? ""
    let alg = alg.map { #","alg":"\#($0)""# } ?? ""
    return
        #"{"kty":"OKP","crv":"Ed25519","x":"Zq93t0narZJmLY4KRtKZ8wr4M7zbn1fK6BwyoN6TjVI"\#(id)\#(alg)}"#
}

func set(_ keys: [String]) -> Data {
    Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
}

extension Data {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
#endif
