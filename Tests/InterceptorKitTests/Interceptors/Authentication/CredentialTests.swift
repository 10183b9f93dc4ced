import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Credential")
struct CredentialTests {
    private static let secret = "s3cret"
    private static let planted: [Credential] = [
        .bearer(secret, expiresAt: Date(timeIntervalSince1970: 0), refreshToken: secret),
        .basic(user: "u", password: secret), .header("X-Api-Key", secret),
        .bearer("\(secret)\r\n", refreshToken: secret),
        .bearer(secret, expiresAt: Date(timeIntervalSince1970: .nan), refreshToken: secret),
    ]

    /// All that anyone could see of a value without meaning to.
    private func shown(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var printed = ""
        debugPrint(value, to: &printed)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped, printed]
    }

    private func requireNoSecret(in value: Any) {
        for text in shown(value) {
            expectTrue(!text.contains(Self.secret))
            expectTrue(!text.contains("czNjcmV0"))
        }
    }

    @Test("gives the token of a scheme with tokens, and of no other")
    func token() {
        let credentials: [Credential] = [
            .bearer("a b"), .fields("dpop", [("authorization", "DPoP t")]),
            .basic(user: "u", password: "p"), .header("X-Api-Key", "k"), .query("api_key", "k"),
        ]

        expectEqual(credentials.map(\.token), ["a b", "t", nil, nil, nil])
    }

    @Test("shows no secret in descriptions, dumps, mirrors and interpolations", arguments: planted)
    func redaction(credential: Credential) {
        requireNoSecret(in: credential)
        requireNoSecret(in: credential.debugDescription)
        requireNoSecret(in: [credential])
        requireNoSecret(in: ["key": Optional(credential)])
        requireNoSecret(in: credential.customMirror.children.map { "\($0)" })
        requireNoSecret(in: CredentialRecord(credential, version: .init("1")))
        requireNoSecret(in: CredentialState.Cached(credential: credential, version: 1))
        requireNoSecret(in: FixedCredentialSource(credential))
        requireNoSecret(
            in: TokenInterceptor(source: FixedCredentialSource(credential), origins: [])
        )
    }

    @Test("shows no secret in the error for an invalid credential", arguments: planted)
    func errors(credential: Credential) {
        do {
            try credential.validate()
        } catch {
            requireNoSecret(in: error)
        }
        let archive = Data(#"{"kind": "\#(Self.secret)"}"#.utf8)
        do {
            requireNoSecret(in: try Credential(archived: archive))
        } catch {
            requireNoSecret(in: error)
        }
    }

    @Test("describes its kind and expiry")
    func description() {
        let date = Date(timeIntervalSince1970: 784_111_777)

        expectEqual("\(Credential.bearer("t"))", "Credential(bearer)")
        expectEqual(
            "\(Credential.bearer("t", expiresAt: date))",
            "Credential(bearer, expires Sun, 06 Nov 1994 08:49:37 GMT)"
        )
        expectEqual(
            "\(Credential.bearer("t", expiresAt: Date(timeIntervalSince1970: 1e300)))",
            "Credential(bearer, expires at an invalid date)"
        )
    }

    @Test("has any expiry of the past, and none that cannot be written")
    func pastExpiry() throws {
        try Credential.bearer("a", expiresAt: .distantPast).validate()
        for seconds in [-Double.infinity, -62_135_769_601, .nan, 253_402_300_800] {
            #expect(throws: TokenError.self) {
                try Credential.bearer("a", expiresAt: Date(timeIntervalSince1970: seconds))
                    .validate()
            }
        }
    }

    @Test("is archived and restored unchanged")
    func archive() throws {
        let date = Date(timeIntervalSince1970: 784_111_777.5)
        let original = Credential.bearer("access", expiresAt: date, refreshToken: "refresh")

        let copy = try Credential(archived: original.archived())

        expectEqual(copy.fields.map(\.name), ["Authorization"])
        expectEqual(copy.fields.map(\.value), ["Bearer access"])
        expectEqual(copy.expiresAt, date)
        expectEqual(copy.refreshToken, "refresh")
        expectEqual(copy.description, original.description)
    }

    @Test(
        "refuses an invalid archive",
        arguments: ["", "{}", "[]", #"{"kind": "bearer", "fields": [["Authorization"]]}"#]
    )
    func damaged(text: String) {
        let error = #expect(throws: TokenError.self) {
            try Credential(archived: Data(text.utf8))
        }
        expectEqual(error?.code, .invalidCredential)
    }
}
