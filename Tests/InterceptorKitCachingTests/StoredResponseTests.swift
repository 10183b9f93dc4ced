import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("StoredResponse")
struct StoredResponseTests {
    @Test("a stored response shows no secret of its URL")
    func description() {
        let stored = StoredResponse.sample("https://a.example/b?token=s3cret&c=1")

        expectEqual("\(stored)", "200 OK of https://a.example/b?token=██&c=1")
    }

    @Test("a dump shows the redacted URL, and no field")
    func dumped() {
        let stored = StoredResponse.sample(
            "https://a.example/b?token=s3cret",
            headers: ["Set-Cookie": "sid=s3cret"]
        )

        var text = ""
        dump(stored, to: &text)

        expectTrue(text.contains("https://a.example/b?token=██"))
        expectTrue(!text.contains("s3cret"))
    }
}
