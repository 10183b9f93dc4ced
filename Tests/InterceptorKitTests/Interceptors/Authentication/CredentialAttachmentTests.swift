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
}
