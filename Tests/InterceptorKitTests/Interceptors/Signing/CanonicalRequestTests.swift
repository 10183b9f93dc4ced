import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("CanonicalRequest")
struct CanonicalRequestTests {
    private static let key = SigningKey(id: "app-1", secret: "s3cret".utf8)

    private func code(
        _ url: HTTP.URL,
        _ headers: HTTP.Headers = [:],
        covering fields: [String] = [],
        leavingOut parameter: String? = nil
    ) throws -> HashAlgorithm.Digest {
        let request = CanonicalRequest(
            request: .get(url, headers: headers),
            uncoveredParameter: parameter,
            coveredFields: fields,
            bodyHash: nil,
            keyID: "app-1",
            timestamp: 1_700_000_000,
            nonce: "00ff"
        )
        return try request.code(with: Self.key)
    }

    @Test("is the HMAC of its ten lines")
    func lines() throws {
        let text = """
            interceptorkit-hmac-sha256-1
            POST
            api.example.com:8443
            /a%20b
            a=1&b=
            content-type=text%2Fplain&x-own=
            \(HashAlgorithm.sha256.hash("body".utf8).hexadecimal)
            app-1
            1700000000
            00ff
            """
        let request = CanonicalRequest(
            request: .post(
                "https://API.example.com:8443/a%20b?b&a=1",
                headers: ["Content-Type": "text/plain"]
            ),
            coveredFields: ["content-type", "x-own"],
            bodyHash: HashAlgorithm.sha256.hash("body".utf8),
            keyID: "app-1",
            timestamp: 1_700_000_000,
            nonce: "00ff"
        )

        let code = try request.code(with: Self.key)

        try expectEqual(code, Self.key.authenticationCode(of: text.utf8))
    }

    @Test(
        "is the same however a URL is written that means the same",
        arguments: [
            "https://API.example.com:443/?a=1&b=2", "https://api.example.com?b=2&a=1",
            "https://api.example.com/?a=1&&b=2&", "https://api.example.com/?%61=%31&b=2",
            "https://api.example.com/?a=1&b=2#part", "https://api.example.com/?a=1&b=2&sign=x",
        ]
    )
    func equivalents(url: String) throws {
        let usual = try code("https://api.example.com/?a=1&b=2")

        try expectEqual(code(HTTP.URL(unvalidated: url), leavingOut: "sign"), usual)
    }

    @Test(
        "differs for requests that differ",
        arguments: [
            "https://api.example.net/?a=1&b=2", "https://api.example.com:8443/?a=1&b=2",
            "https://api.example.com/x?a=1&b=2", "https://api.example.com/?a=1%26b=2",
            "https://api.example.com/?a=2&b=1", "https://api.example.com/?A=1&b=2",
            "https://api.example.com/?a=1&a=1&b=2", "https://api.example.com/?a=1&b=2&signs=x",
        ]
    )
    func others(url: String) throws {
        let usual = try code("https://api.example.com/?a=1&b=2", leavingOut: "sign")

        try expectTrue(code(HTTP.URL(unvalidated: url), leavingOut: "sign") != usual)
    }

    @Test("lets no field's value stand in for another field")
    func forgedField() throws {
        let two = try code(orders, ["A": "1", "B": "2"], covering: ["a", "b"])

        try expectTrue(code(orders, ["A": "1&b=2"], covering: ["a"]) != two)
        try expectEqual(code(orders, ["A": "1", "B": "2", "C": "3"], covering: ["a", "b"]), two)
    }

    @Test("needs a complete URL")
    func incomplete() {
        #expect(throws: HTTP.RequestError.self) { try code("/orders") }
    }
}
