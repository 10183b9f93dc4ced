import InterceptorKit
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
            ("", ""),
        ]
    )
    func urls(text: String, shown: String) {
        #expect(Redaction.standard.url(text) == shown)
    }

    @Test("shows fields that hold URLs as it shows URLs, and never a credential's field")
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

    @Test("can be told to show more fields and hide more parameters")
    func configuration() {
        var rule = Redaction.standard
        rule.shownFields.insert("x-request-id")
        rule.hiddenParameters.insert("pin")

        #expect(rule.headers(["X-Request-Id": "7"]).map(\.value) == ["7"])
        #expect(rule.url("https://h/?pin=1") == "https://h/?pin=██")
    }
}
