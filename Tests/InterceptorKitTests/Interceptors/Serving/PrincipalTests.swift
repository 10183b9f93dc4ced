import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Principal")
struct PrincipalTests {
    private static let issuer = "https://login.example.com"

    @Test("has an id that shows issuer and subject where both are plain")
    func shown() {
        expectEqual(Principal("app-1").id, "app-1")
        expectEqual(Principal("7f9c").id, "7f9c")
        expectEqual(Principal("alice", issuer: Self.issuer).id, "https://login.example.com alice")
        expectEqual(Principal("a b", issuer: Self.issuer).id, "https://login.example.com a b")
    }

    @Test("has an id that no other principal has, of printable ASCII in 512 bytes")
    func distinct() {
        let long = String(repeating: "a", count: 600)
        let digest = Principal("é").id
        // Pairs of which one could be taken for another: parts that move, spellings of one text, a digest as a name.
        let pairs = [
            ("", ""), ("", "a"), ("a", ""), ("a", "b c"), ("a b", "c"), ("", "a b c"), ("ab", "c"),
            ("a", "bc"),
            ("", "abc"), ("", "\u{E9}"), ("", "e\u{301}"), ("a", "\u{E9}"), ("a", "e\u{301}"),
            ("\u{E9}", "a"), ("e\u{301}", "a"), ("", digest), ("", String(digest.dropFirst(7))),
            ("", "1:ab"),
            ("a", "b\n"), ("a", "b\0"), ("", "a\n"), ("", long), (long, ""), ("", long + "a"),
            (long, "a"),
            (String(long.dropLast()), "aa"), ("a", " b"), ("a", "b "), (" ", "a"), (" a", ""),
            ("", " a"),
        ]
        let ids = pairs.map { Principal($1, issuer: $0).id }

        expectEqual(Set(ids).count, pairs.count)
        expectEqual(Set(pairs.map { Principal($1, issuer: $0) }).count, pairs.count)
        expectTrue(
            ids.allSatisfy { $0.utf8.count <= 512 && $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } }
        )
    }

    @Test("keeps calls of two callers apart, and not those of a new token")
    func partition() {
        func partition(_ principal: Principal?) -> CallPartition {
            var call = Call()
            call.principal = principal
            return call.partition
        }
        let alice = Principal("alice", issuer: "i", scopes: ["a", "b"])
        let others = [
            nil, Principal("bob", issuer: "i", scopes: ["a", "b"]), Principal("alice", issuer: "i"),
            Principal("alice", issuer: "i", clientID: "c", scopes: ["a", "b"]),
        ]
        let spellings = ["\u{E9}", "e\u{301}"].map { Principal("alice", clientID: $0) }

        expectTrue(partition(spellings[0]) != partition(spellings[1]))
        for other in others { expectTrue(partition(other) != partition(alice)) }
        let renewed = Principal("alice", issuer: "i", scopes: ["b", "a"], expiry: .distantFuture)
        expectEqual(partition(renewed), partition(alice))
        expectTrue(partition(nil).texts == [])
        expectTrue(partition(alice).texts?.count == 1)
    }

    @Test("is not sent on by a client that serves the call")
    func notSentOn() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200)])
        let client = try HTTP.Client(transport: transport, timeout: nil) { ServedCallInterceptor() }
        var served = Call()
        served.principal = Principal("alice", issuer: Self.issuer)

        _ = try await served.serve { try await client.send(.get(orders)) }

        let sent = try unwrap(transport.sent.first)
        expectTrue(sent.call.principal == nil)
        expectTrue(!sent.input.headers.contains { $0.value.contains("alice") })
    }
}
