import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("What is attached to a credential")
struct CredentialAttachmentTests {
    private struct Account: Codable, Equatable {
        var user: String
        var scopes = ["orders"]
    }

    private let mine = Account(user: "s3cret")

    @Test("is archived with it, and not shown")
    func archive() throws {
        let credential = try Credential.bearer("t").attaching(mine)
        var shown = "\(credential)"
        dump(credential, to: &shown)
        debugPrint(credential, to: &shown)

        let copy = try Credential(archived: credential.archived())

        try expectEqual(copy.attachment(), mine)
        try expectEqual(copy.refreshable(as: .bearer("u")).attachment(), mine)
        expectTrue(!shown.contains("s3cret"))
    }

    @Test("is nothing in an archive of an earlier version")
    func earlier() throws {
        let archive = #"{"kind":"bearer","fields":[["A","t"]],"refreshToken":"r"}"#

        let credential = try Credential(archived: Data(archive.utf8))

        expectEqual(credential.refreshToken, "r")
        try expectTrue(credential.attachment(as: Account.self) == nil)
    }

    @Test("is refused as another type, and if it cannot be written, unseen")
    func otherType() throws {
        let credential = try Credential.bearer("t").attaching(mine)

        let read = #expect(throws: TokenError.self) { try credential.attachment(as: [Int].self) }
        let write = #expect(throws: TokenError.self) { try credential.attaching([Double.nan]) }

        expectEqual([read?.code, write?.code], [.invalidCredential, .invalidCredential])
        expectTrue(!"\(String(describing: read))".contains("s3cret"))
    }

    @Test("stays through a refresh, unless the new one is another process's")
    func refresh() async throws {
        let other = Account(user: "other")
        var elsewhere = Credential.bearer("new")
        elsewhere.isFromAnotherProcess = true
        let rows: [(Credential, Account?)] = [
            (.bearer("new"), mine), (try .bearer("new").attaching(other), other), (elsewhere, nil),
        ]
        for (new, expected) in rows {
            let old = try Credential.bearer("old").attaching(mine)
            let source = RefreshableCredentialSource(initial: { old }) { _ in new }
            let session = TokenInterceptor(source: source, origins: ["https://api.example.com"])
            let runtime = Runtime.virtual(clock: VirtualClock())

            try await session.refresh(runtime: runtime)

            let call = Call(runtime: runtime)
            let current = try await session.credential(for: orders, call: call)
            try expectEqual(current?.attachment(), expected)
        }
    }

    @Test("is changed without a sign-in, also during a refresh, which goes on")
    func change() async throws {
        let other = Account(user: "other")
        for isRefreshing in [false, true] {
            let (held, stored, sent) = try await onEverySeed { simulation in
                let gate = Gate("refresh")
                let stored = Recorder<Account>()
                let source = AttachingSource(
                    gate: gate,
                    old: try Credential.bearer("t").attaching(mine)
                ) {
                    stored.note(try JSONDecoder().decode(Account.self, from: $0))
                }
                let tokens = TokenInterceptor(source: source, origins: ["https://api.example.com"])
                let transport = ScriptedTransport<HTTP.Request> { request, _ in
                    HTTP.Response(request.headers["Authorization"] == "Bearer t" ? 401 : 200)
                }
                let client = try simulation.client(transport) { tokens }
                let call = Task.child(in: simulation) { try await client.send(.get(orders)) }
                try await gate.waitForArrivals(1)
                if !isRefreshing { gate.open() }
                if !isRefreshing { _ = try await call.value }
                try await tokens.attach(other)
                gate.open()
                _ = try await call.value
                let held: Account? = try tokens.held?.attachment()
                return (held, stored.entries, transport.sent.count)
            }

            expectEqual(held, other)
            expectEqual(stored, [other])
            expectEqual(sent, 2)
        }
    }

    @Test("is not changed without a credential, or as what cannot be written")
    func nothingToChange() async throws {
        let cache = CredentialCache(source: RefreshableCredentialSource { _ in nil })

        let missing = await #expect(throws: TokenError.self) { try await cache.attach(mine) }
        try await cache.signIn(with: .bearer("t").attaching(mine))
        let invalid = await #expect(throws: TokenError.self) {
            try await cache.attach([Double.nan])
        }

        expectEqual([missing?.code, invalid?.code], [.missingCredential, .invalidCredential])
        try expectEqual(cache.held?.attachment(), mine)
    }
}

/// A source whose refreshed credential has the attachment that it knew when it was asked.
private struct AttachingSource: CredentialSource {
    let gate: Gate
    let old: Credential
    let store: @Sendable (Data) throws -> Void

    func load() async throws -> Credential? { old }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await gate.pass()
        var new = Credential.bearer("new")
        new.attachment = rejected?.attachment
        return new
    }

    func attach(_ attachment: Data) async throws { try store(attachment) }
}
