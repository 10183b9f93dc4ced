import InterceptorKit
import TestSupport
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "hides user information and secret parameters in any text",
        arguments: [
            ("https://u:p@h/x", "https://██@h/x"), ("https://u@h", "https://██@h"),
            ("u:p@h/x?b", "██@h/x?b"),
            ("https://h/a@b?token=1", "https://h/a@b?token=██"),
            ("?api_key=1&x=2", "?api_key=██&x=2"),
            ("https://h/?TOKEN=1", "https://h/?TOKEN=██"),
            ("https://h/?to%6ben=1", "https://h/?to%6ben=██"),
            ("https://h/?token", "https://h/?token"),
            ("https://h/#token=1&a=2", "https://h/#token=██&a=2"),
            ("https://u:p@h/x@y", "https://██@y"), ("//u:p@h/x", "//██@h/x"),
            ("https://u:p#q@h/x?a=b", "https://██@h/x?a=b"), ("https://u:p?q@h", "https://██@h"),
            ("https://u:p/q@h/x", "https://██@h/x"), ("https://u:1/q@h/x", "https://██@h/x"),
            ("https:\\\\u:p@h", "https:\\\\██@h"), ("jdbc:x://u:p@h", "jdbc:x://██@h"),
            ("http://h:8080/users/@me", "http://h:8080/users/@me"),
            ("http://a.h:8080/a@b", "http://a.h:8080/a@b"),
            ("http://[::1]:1/a@b", "http://[::1]:1/a@b"),
            ("https://h/?a=1;sid=2;b=3&c=4", "https://h/?a=1;sid=██&c=4"),
            ("https://h/x;jsessionid=1/y", "https://h/x;jsessionid=██/y"),
            ("https://h/#/x?b=1&jwt=2", "https://h/#/x?b=1&jwt=██"),
            ("/?next=%2Fcb%3Fotp%3D1&b=2", "/?next=██&b=2"),
            ("/?next=%2Fcb%3Fb%3D1", "/?next=%2Fcb%3Fb%3D1"),
            ("", ""),
        ]
    )
    func urls(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
    }

    @Test(
        "hides a secret's name in any spelling",
        arguments: [
            "accessToken", "client-secret", "pwd", "jwt", "otp", "passphrase", "private_key",
            "session", "sid", "authorization", "token[]", "SAMLResponse", "x_access_token",
            "userPassword", "APIKEY", "id_token_hint", "code_verifier", "client_assertion",
            "user[auth][pin]", "user%255Bpassword%255D", "userpwd", "cvv2", "AWSAccessKeyId", "JwT",
            "page_token", "unknown_code", String(repeating: "a", count: 300) + "[token]",
        ]
    )
    func hidden(name: String) {
        #expect(Redaction.standard.url("/?\(name)=1") == "/?\(name)=██")
        #expect(Redaction.standard.text("\(name): 12345678x") == "\(name): ██")
    }

    @Test(
        "shows parameters whose names only resemble a secret's",
        arguments: [
            "keyword", "tokens_used", "max_tokens", "session_count", "token_type", "expires_in",
            "refresh_token_expires_in", "country_code", "errorCode", "sort_key", "publicKey",
            "monkey", "author", "design", "code_challenge_method", "state", "client_id", "page", "",
        ]
    )
    func shown(name: String) {
        #expect(Redaction.standard.url("/?\(name)=1") == "/?\(name)=1")
        #expect(Redaction.standard.text("\(name): 12345678x") == "\(name): 12345678x")
    }

    @Test("redacts URLs within fields, and hides the call's credential fields")
    func fields() {
        let headers: HTTP.Headers = [
            "Location": "https://u:p@h/cb?code=1&state=2", "X-Key": "3", "Accept": "text/plain",
        ]

        let shown = Redaction.standard.headers(headers).map(\.value)
        let hidden = Redaction.standard.headers(headers, hiding: ["accept", "LOCATION"]).map(
            \.value
        )

        #expect(shown == ["https://██@h/cb?code=██&state=2", "██", "text/plain"])
        #expect(hidden == ["██", "██", "██"])
    }

    @Test("can be set to show more fields and hide more parameters")
    func configuration() {
        var rule = Redaction.standard
        rule.shownFields.insert("x-request-id")
        rule.hiddenNames.insert("page")
        rule.shownNames.insert("page_token")

        #expect(rule.headers(["X-Request-Id": "7"]).map(\.value) == ["7"])
        #expect(rule.url("https://h/?page=1") == "https://h/?page=██")
        #expect(rule.url("https://h/?pageToken=1") == "https://h/?pageToken=1")
    }
}
