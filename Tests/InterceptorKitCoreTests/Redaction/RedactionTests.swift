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
}
