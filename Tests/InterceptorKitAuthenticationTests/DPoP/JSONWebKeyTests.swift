import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitAuthentication

@Suite("JSONWebKey")
struct JSONWebKeyTests {
    @Test("has the thumbprint of RFC 8037 appendix A.3, and shows its kind")
    func octetPair() throws {
        let text = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo"
        let key = JSONWebKey.octetPair(
            "Ed25519",
            x: try unwrap(Base64.decode(Array(text.utf8)))
        )

        expectEqual(key.thumbprint, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        expectEqual("\(key)", "JSONWebKey(OKP, \(key.thumbprint))")
    }

    @Test("has the thumbprints of RFC 9449 and RFC 7638")
    func thumbprints() throws {
        func bytes(_ text: String) throws -> [UInt8] {
            try unwrap(Base64.decode(Array(text.standardBase64.utf8)))
        }
        let curve = JSONWebKey.ellipticCurve(
            "P-256",
            x: try bytes("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"),
            y: try bytes("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA")
        )
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_B"
            + "JECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_F"
            + "DW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4"
            + "vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let rsa = JSONWebKey.rsa(modulus: try bytes(modulus), exponent: [1, 0, 1])

        expectEqual(curve.thumbprint, "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        expectEqual(rsa.thumbprint, "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
