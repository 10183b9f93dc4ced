import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.IntegrityDigests")
struct IntegrityDigestsTests {
    private let content = Array("{\"hello\": \"world\"}\n".utf8)

    // Appendices B.1 and D of RFC 9530; without the line feed it is the content of D.
    @Test(
        "are of the bytes that RFC 9530 shows them of",
        arguments: [
            ("\n", "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"),
            ("", "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"),
            (
                "",
                "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"
            ),
            ("", "md5=:Sd/dVLAcvNLSq16eXua5uQ==:"), ("", "sha=:07CavjDP4u3/TungoUHJO/Wzr4c=:"),
        ]
    )
    func published(end: String, field: String) throws {
        let bytes = Array("{\"hello\": \"world\"}\(end)".utf8)
        let read = try HTTP.IntegrityDigests(parsing: field)

        let made = try HTTP.IntegrityDigests(of: bytes, read.algorithms)

        try expectEqual(made.serialized(), field)
        try read.verify(bytes, accepting: Set(read.algorithms))
    }

    @Test("checks every accepted digest and no other")
    func accepted() throws {
        var digests = try HTTP.IntegrityDigests(of: content, [.sha256, .sha512])
        digests[.md5] = [1, 2, 3]
        digests[HTTP.DigestAlgorithm("own")] = [4]
        try digests.verify(content)

        digests[.sha512]?[0] ^= 1

        let error = #expect(throws: HTTP.ContentError.self) { try digests.verify(content) }
        expectEqual(error?.code, .digestMismatch)
        try digests.verify(content, accepting: [.sha256])
    }

    @Test(
        "refuses digests if none uses an accepted algorithm",
        arguments: ["md5=:AQI=:", "own=:AQI=:", ""]
    )
    func unacceptable(field: String) throws {
        let digests = try HTTP.IntegrityDigests(parsing: field)

        let error = #expect(throws: HTTP.ContentError.self) {
            try digests.verify(content, accepting: [.sha256, .sha512, HTTP.DigestAlgorithm("own")])
        }

        expectEqual(error?.code, .unacceptableDigest)
    }

    @Test(
        "refuses a field that isn't a dictionary of byte sequences",
        arguments: ["sha-256=", "sha-256=abc", "a=(:AQ==:)"]
    )
    func malformed(field: String) {
        let error = #expect(throws: HTTP.ContentError.self) {
            try HTTP.IntegrityDigests(parsing: field)
        }

        expectEqual(error?.code, .malformedDigest)
    }

    @Test("refuses malformed fields, and writes no invalid name")
    func unwritable() throws {
        var digests = HTTP.IntegrityDigests()
        digests[HTTP.DigestAlgorithm("SHA 256")] = [1]

        let errors = [
            #expect(throws: HTTP.ContentError.self) { try digests.serialized() },
            #expect(throws: HTTP.ContentError.self) { try HTTP.IntegrityDigests(parsing: "a=(") },
        ]

        expectTrue(errors.allSatisfy { $0?.code == .malformedDigest })
    }
}
