import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("SecretNames")
struct SecretNamesTests {
    @Test(
        "hides a secret's name in any spelling",
        arguments: [
            "accessToken", "client-secret", "pwd", "jwt", "otp", "passphrase", "private_key",
            "session", "sid", "authorization", "token[]", "SAMLResponse", "x_access_token",
            "userPassword", "APIKEY", "id_token_hint", "code_verifier", "client_assertion",
            "user[auth][pin]", "user%255Bpassword%255D", "userpwd", "cvv2", "AWSAccessKeyId", "JwT",
            "appid", "sk", "ak", "psk", "zak", "_wpnonce",
            "page_token", "unknown_code", String(repeating: "a", count: 300) + "[token]",
        ]
    )
    func hidden(name: String) {
        expectEqual(Redaction.standard.url("/?\(name)=1"), "/?\(name)=██")
        expectEqual(Redaction.standard.text("\(name): 12345678x"), "\(name): ██")
    }

    @Test(
        "shows parameters whose names only resemble a secret's",
        arguments: [
            "keyword", "tokens_used", "max_tokens", "session_count", "token_type", "expires_in",
            "refresh_token_expires_in", "country_code", "errorCode", "sort_key", "publicKey",
            "monkey", "risk", "break", "nonce", "author", "design", "code_challenge_method",
            "state", "client_id", "page", "",
        ]
    )
    func shown(name: String) {
        expectEqual(Redaction.standard.url("/?\(name)=1"), "/?\(name)=1")
        expectEqual(Redaction.standard.text("\(name): 12345678x"), "\(name): 12345678x")
    }
}
