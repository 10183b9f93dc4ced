import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Redaction of free text")
struct RedactionTextTests {
    @Test(
        "hides what looks like a secret, and keeps the sentence",
        arguments: [
            (
                "GET https://u:p@h/x?token=1&page=2 failed.",
                "GET https://██@h/x?token=██&page=2 failed."
            ),
            ("(\"https://h/?sig=abc\")", "(\"https://h/?sig=██\")"),
            ("Authorization: Bearer abc.def", "Authorization: ██"),
            ("Cookie: a=1; b=2\nHost: h", "Cookie: ██\nHost: h"),
            ("X-Auth-Token: abc, def", "X-Auth-Token: ██"),
            ("refused Bearer abc123, try again", "refused Bearer ██, try again"),
            ("refused bearer dGVzdA==", "refused bearer ██"),
            ("a bearer token is missing", "a bearer token is missing"),
            ("The digest differs.", "The digest differs."),
            ("token=abc&page=2", "token=██&page=2"),
            ("code=4711 state=7", "code=██ state=7"),
            ("code: 503, key: value", "code: 503, key: value"),
            (#"{"access_token":"a b","n":1}"#, #"{"access_token":"██","n":1}"#),
            (#"{\"password\":\"a\\\"b\",\"n\":1}"#, #"{\"password\":\"██\",\"n\":1}"#),
            // Cut off within the value.
            (#"{"n":1,"password":"abc"#, #"{"n":1,"password":"██"#),
            (#"{\"password\":\"a\\\"b"#, #"{\"password\":\"██"#),
            (#"["client_secret": "s", "n": 1]"#, #"["client_secret": "██", "n": 1]"#),
            ("Grant(refreshToken: abc def)", "Grant(refreshToken: ██"),
            ("settings.apiKey = 'k', n = 1", "settings.apiKey = '██', n = 1"),
            ("got eyJhbGciOiJub25lIn0.e30. back", "got ██ back"),
            ("user[password]=a&b=1", "user[password]=██&b=1"),
            ("Telltale(text: \"password: a b\")", "Telltale(text: \"password: ██"),
            (#"Got {"pin":1234,"n":1} back"#, #"Got {"pin":"██","n":1} back"#),
            ("The token 'abc' has expired.", "The token '██' has expired."),
            ("Incorrect API key provided: sk-12345.", "Incorrect API key provided: ██"),
            ("The token endpoint answered: nothing", "The token endpoint answered: nothing"),
            ("a is inside SignInterceptor: it changes", "a is inside SignInterceptor: it changes"),
            ("TokenError: refused", "TokenError: refused"),
            ("Digest username=\"u\", response=\"a\"", "Digest ██"),
            ("Authorization=Basic abc=", "Authorization=██"), ("Basic x", "Basic ██"),
            ("at u:p@h and //u:p@h/", "at u:██@h and //██@h/"),
            ("<a:Password T=\"x\">abc</a:Password>", "<a:Password T=\"x\">██</a:Password>"),
            (
                "<password a='>'><![CDATA[SECRET]]></password>",
                "<password a='>'><![CDATA[██]]></password>"
            ),
            ("<password a='>' b=\">\">SECRET</password>", "<password a='>' b=\">\">██</password>"),
            ("<password a='>SECRET</password>", "<password a='>██</password>"),
            ("<input name='otp' a='>' value='1'>", "<input name='otp' a='>' value='██'>"),
            ("<input name='otp' value='1'>", "<input name='otp' value='██'>"),
            ("code: E1, ticket: 12", "code: E1, ticket: 12"), ("code: 4a6f-b1c2", "code: ██"),
            ("", ""), ("token", "token"), ("token=", "token="), ("password: ", "password: "),
            ("50%", "50%"), ("LIKE 'a%'", "LIKE 'a%'"), ("%, 100%!", "%, 100%!"),
            ("50%25%2525", "50%25%2525"), ("a%%%%%zz%4", "a%%%%%zz%4"),
            ("%2525252570assword%3D1", "██"), ("naïve 🙂 text", "naïve 🙂 text"),
            ("Bearer", "Bearer"), ("Bearer ", "Bearer "),
        ]
    )
    func texts(text: String, shown: String) {
        expectEqual(Redaction.standard.text(text), shown)
    }

    @Test("leaves a redacted text unchanged")
    func idempotent() {
        let text = "Bearer abc123 at https://u:p@h/?token=1, password: x"

        let shown = Redaction.standard.text(text)

        expectEqual(Redaction.standard.text(shown), shown)
    }
}
