#if JWT
import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitJWT

@Suite("VerificationKey")
struct VerificationKeyTests {
    // Keys and signatures of "what was signed", by Python's cryptography.
    private static let modulus =
        "ud3dsTTjRfcdZyq3TGWLtkb5j1kjToKsxzcHN5rkD7s6yGfCATXuAslcHbVq8mhXPEX3tbgyvY39DTfs6H5FtJe42iYsSQvR9arqTVAZsbz_ho4ZZmjTAM3-CdewF_CXAfGNLzNKM4RJfOiW_w_05PQknQYI4TYQXo2Z23aR45iwPB3ZTG_a1FVbzOGh9RKrjOi4THLBzNpx0Ubsv9hvIJYu4vjff911qBp9HlgX95bBMlI7DtB-wo6wblcaXvEVH0-Wtg6tzB_uRBmA3sviRXWJc8X4nibTL_9XszAXk1_5E3zR_ALWFFsJSKrq5cSVHgfltGMI9RxtQa7oRH8iEw"
    private static let shortModulus =
        "awL-5sE9trijI8OiYEM0UARlgPXb4rKMyMxc7iimyzo31Z2KXV6Rc7ZTCV325ZMwWF2GfhUZVJpNRYnLuIiKPhmGxbkH8_nbmIsUx05M3phmInkkg7YNRVwuTxbOe7lZcVC7o97j2fLZU4U_0hU04MRoQyE3oIWAc2Nk3u9dp2ftCbq376NwBMTHECAmVYlMuehEkZTBgJCM1TxDVCg6KwpDLNUGLRt7ReXQdRyFXVqPg6w6oWft7_tB2PwqsthKPYsD1Zi1b_1AmkNUGLezYaK-_PgdClk2TVLNkXvdhtXKaP1fi2xOgzloDu-kGcaGSi1RVR2V7HVU53RFCXQVrw"
    private static let rsa = #""kty":"RSA","e":"AQAB","n":"\#(modulus)""#
    private static let p256 =
        #""kty":"EC","crv":"P-256","x":"uLt8BJcKNYej4_QGUyu1dcscDV3egrxmXD5gesjQVY0","y":"nHOUS9qffKboyy3v5gI2UN097Pp6459_BsAThWfHcag""#
    private static let p384 =
        #""kty":"EC","crv":"P-384","x":"-ljj3Q8RhPYpjWFKEmTdLGEO7Uujur2lAY4PoCbzuLxDcTE2VRMmT6H6snSbZNep","y":"6Ok6LisLvcarBZR7jvGF27LpFix94tKCsPbCi5baPR1dUr7kDXLVLow5K2vkJD8g""#
    private static let p521 =
        #""kty":"EC","crv":"P-521","x":"AZks8yqXBzG7usVGAfHFI8PYSYT80-X8UL8qOGI_q7GO4Y7HbSfhl9tf6xoL1efz157uR0hnIXlE81RYTo5BerHF","y":"AQdP4BOvcK_GBUtWG1L7M6tWy3YsViRz60ak55jvwLVuDZlegiTPaos716wKFY2tbLHfEdUbO81G_eEduG2QHF-Q""#
    private static let ed25519 =
        #""kty":"OKP","crv":"Ed25519","x":"Zq93t0narZJmLY4KRtKZ8wr4M7zbn1fK6BwyoN6TjVI""#

    struct Signed: Sendable {
        let algorithm: String
        let key: String
        let signature: String
    }

    static let signed: [Signed] = [
        Signed(
            algorithm: "RS256",
            key: rsa,
            signature:
                "HoaTaLjrI4nWQ1tzFXgxakFY0CQ-TrALJgjHEVlnbHOde6ays4Tlsjiz2wlTmpEAUQ3d4hTRE3VLa3r2GUl2gJexavG9oLcrON_Aje6_tAjVQvV2n0_e2LXwWCPaNPo6NAH313DMm9Pg7nqvOhzE8JzF4Y4tQMHxCOa0GGG5AFHZmVWLxn2QQRzJBFexPuY6GvigW-1Jm2dRWt8gxQ6hovV5Xk9Aak0YOSaVDcGpqMQW3QYFdmGMrqTscUhGDXR1IqDtp3i8hEVpZzF6EXx20Q7YYaVMdK-PkiCb2N5KnD_egctkNhsjUcHPe8tr85yaFZRpniXM3Ktic0a-_5RINA"
        ),
        Signed(
            algorithm: "PS256",
            key: rsa,
            signature:
                "bjBbNAZtKXmfhngZCqen2dwp7WV8iazmyiWOj5bJptEUiTpBfnHoPZKCi1B5PgCgDLmCJMBVozlaiduydCdBjdG3cuVPMIHEpxyJGvqZKMUZ8og63EtdGxXlQVyg_Ob_MimwuFYtDC6CKxE6JJdN4luYm1uwnzMzQSkT8yR3REwQ-zjJxsN91gYb3U1o5DZ45UfX0SkePEUUgpqpjHir61Y_olMQLkqxhIZksAKpwiNIpenF5yJTWn3PeRCc6TV9oja_cUomFuqTWNzwgSnpj0cAPsSopIhcQDtUuplh_ELhxdND26h8Vj32-uFKh31jSYILOE_0Mwd00vEPPFGeLA"
        ),
        Signed(
            algorithm: "ES256",
            key: p256,
            signature:
                "mpe6X1VYA9Qim4aOeJIjg7NnVCV-yLPwygFiQVMeMqYij8E1uEZyZyXp5Klp9GmLO8ehv59OtknNx3zNX2mbaw"
        ),
        Signed(
            algorithm: "ES384",
            key: p384,
            signature:
                "OeTz0Gy_emb9Nuu0LlmBB1wCFzU6VTUq9IXL1OOBN639VBahBL4SIOP3yt9rBrjDJHSOqE-2d_r5MXyPqwQBIH2oc2XannhqmF2jv9KH-MLRN5odqMkHKxR_YbI48Jp4"
        ),
        Signed(
            algorithm: "ES512",
            key: p521,
            signature:
                "AEZOxUm2SjEGSAVJVj98q3ergBWGYzQMIpOPWNg8SvOfDktRIoN8VqAwnA1FPxh04j_4ojX8UoLP8UOYq563Gb7VAFGkaps41LBHM7RVbnC13cCqIQVAjgxRBWU0ZMRia9fR7HKhx06sjmgVuwzs1o_YBTWobRNfhdGpBl7cBwkf0vg3"
        ),
        Signed(
            algorithm: "EdDSA",
            key: ed25519,
            signature:
                "FTti4wEmLFMtaisA3oLzxK5e2Pouh3lcFz9bn9XmZcvVWsZJaxvPs9Rmbk2vRRgPpYLuGsDaI3qDMVp3W2UfAw"
        ),
    ]

    @Test("verifies its own signatures by its own algorithm only", arguments: signed)
    func signatures(_ signed: Signed) async throws {
        let key = try await unwrap(key(#"{\#(signed.key),"kid":"a"}"#))
        let text = Array("what was signed".utf8)
        let signature = try unwrap(base64URL(signed.signature))
        var changed = signature
        changed[changed.count / 2] ^= 1

        expectEqual(key.id, "a")
        for other in Self.signed {
            let isOwn = other.algorithm == signed.algorithm
            expectEqual(key.made(signature, of: text, by: other.algorithm), isOwn)
        }
        expectTrue(!key.made(changed, of: text, by: signed.algorithm))
        expectTrue(!key.made([], of: text, by: signed.algorithm))
        expectTrue(!key.made(signature, of: text + [0], by: signed.algorithm))
        for algorithm in ["none", "HS256", ""] {
            expectTrue(!key.suits(algorithm) && !key.made(signature, of: text, by: algorithm))
        }
    }

    @Test(
        "has the algorithms of its kind, or the one that it names",
        arguments: [
            (rsa, "RS256 RS384 RS512 PS256 PS384 PS512"),
            (rsa + #","alg":"PS384""#, "PS384"),
            (p256, "ES256"), (p384, "ES384"), (p521, "ES512"),
            (ed25519, "EdDSA Ed25519"),
            (ed25519 + #","alg":"Ed25519""#, "Ed25519"),
            (p256 + #","use":"sig","key_ops":["verify"],"x5c":7"#, "ES256"),
        ]
    )
    func algorithms(_ members: String, _ names: String) async throws {
        let key = try await unwrap(key("{\(members)}"))

        let all = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519 HS256 none"
        expectEqual(all.split(at: " ").filter { key.suits(String($0)) }, names.split(at: " "))
        expectTrue(SignatureAlgorithms.all.isSuperset(of: names.split(at: " ").map(String.init)))
    }

    @Test(
        "is none of what cannot verify",
        arguments: [
            "", #""kty":7"#, #""kty":"oct","k":"AAAA""#,
            #""kty":"AKP","alg":"ML-DSA-44","pub":"AA""#,
            // For something else.
            rsa + #","use":"enc""#, rsa + #","use":7"#, rsa + #","key_ops":["encrypt"]"#,
            rsa + #","key_ops":"verify""#, rsa + #","key_ops":[]"#,
            // With algorithms that are not its own.
            rsa + #","alg":"RSA-OAEP""#, rsa + #","alg":"HS256""#, rsa + #","alg":"none""#,
            rsa + #","alg":null"#, p256 + #","alg":"ES384""#, p256 + #","alg":"RS256""#,
            // Not public.
            rsa + #","d":"AAAA""#, rsa + #","p":"AAAA""#, p256 + #","d":"AAAA""#,
            p256 + #","k":"""#,
            // Too short, incomplete, or no key.
            #""kty":"RSA","e":"AQAB","n":"\#(shortModulus)""#, #""kty":"RSA","e":"AQAB""#,
            #""kty":"RSA","e":"AQAB","n":7"#, #""kty":"RSA","e":"AQAB","n":"""#,
            #""kty":"RSA","e":"","n":"\#(modulus)""#, #""kty":"RSA","e":"AQ","n":"\#(modulus)""#,
            #""kty":"RSA","e":"Ag","n":"\#(modulus)""#, #""kty":"RSA","e":"AQAB","n":"!""#,
            p256.replacing("Y0\"", with: "Y1\"").replacing("uLt8", with: "uLt9"),
            p256.replacing("P-256", with: "P-384"), p256.replacing("P-256", with: "secp256k1"),
            p384.replacing("P-384", with: "P-521"), p256.replacing("\"x\"", with: "\"z\""),
            #""kty":"OKP","crv":"Ed25519","x":"AAAA""#, #""kty":"OKP","crv":"Ed25519""#,
            ed25519.replacing("Ed25519", with: "X25519"), ed25519.replacing("OKP", with: "EC"),
            ed25519 + #","kid":7"#,
        ]
    )
    func unusable(_ members: String) async throws {
        let key = try await key("{\(members)}")

        expectTrue(key == nil)
    }

    private func key(_ json: String) async throws -> VerificationKey? {
        guard case .object(let members)? = JSONValue(parsing: Data(json.utf8)) else {
            throw Malformed()
        }
        return await VerificationKey(members)
    }

    private struct Malformed: Error {}
}

/// Decodes base64url by the letter, for tests.
func base64URL(_ text: some StringProtocol) -> [UInt8]? {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else {
        return nil
    }
    let padded =
        text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: padded).map { Array($0) }
}

extension String {
    fileprivate func replacing(_ text: String, with other: String) -> String {
        replacingOccurrences(of: text, with: other)
    }
}
#endif
