import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Redaction")
struct RedactionTests {
    @Test("redacts URLs within fields, and hides the call's credential fields")
    func fields() {
        let headers: HTTP.Headers = [
            "Location": "https://u:p@h/cb?code=1&state=2", "X-Key": "3", "Accept": "text/plain",
        ]

        let shown = Redaction.standard.headers(headers).map(\.value)
        let hidden = Redaction.standard.headers(headers, hiding: ["accept", "LOCATION"]).map(
            \.value
        )

        expectEqual(shown, ["https://██@h/cb?code=██&state=2", "██", "text/plain"])
        expectEqual(hidden, ["██", "██", "██"])
    }

    @Test("can be set to show more fields and hide more parameters")
    func configuration() {
        var rule = Redaction.standard
        rule.shownFields.insert("x-request-id")
        rule.hiddenNames.insert("page")
        rule.shownNames.insert("page_token")

        expectEqual(rule.headers(["X-Request-Id": "7"]).map(\.value), ["7"])
        expectEqual(rule.url("https://h/?page=1"), "https://h/?page=██")
        expectEqual(rule.url("https://h/?pageToken=1"), "https://h/?pageToken=1")
    }

    @Test("shows what a first look finds harmless as the whole search does")
    func firstLook() {
        // `#` and a line break are none of what the first look accepts, and change nothing else.
        for url in Self.joined([
            "a", "a:", "/", "//", "://", "eyJ.", "u:p@", "token=1", " bearer 1",
        ]) {
            let whole = Redaction.standard.url(url + "#")
            expectEqual(whole, Redaction.standard.url(url) + "#", "\(url)")
        }
        for text in Self.joined(["a", "token", ":", "=", "1", " ", "eyJ.a", "//", "u@h", ",", "*"])
        {
            let whole = Redaction.standard.text(text + "\n")
            expectEqual(whole, Redaction.standard.text(text) + "\n", "\(text)")
        }
    }

    // Every text of one to four of these parts.
    private static func joined(_ parts: [String]) -> [String] {
        var texts = [""]
        var all: [String] = []
        for _ in 0..<4 {
            texts = texts.flatMap { text in parts.map { text + $0 } }
            all += texts
        }
        return all
    }
}
