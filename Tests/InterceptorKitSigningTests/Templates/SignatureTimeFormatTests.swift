import Expectations
import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("SignatureTimeFormat")
struct SignatureTimeFormatTests {
    @Test(
        "writes a time in every format",
        arguments: [
            (SignatureTimeFormat.seconds, "784111777"),
            (.milliseconds, "784111777250"),
            (.http, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (.iso8601, "1994-11-06T08:49:37Z"),
            (.day, "1994-11-06"),
            (.pattern("dd.MM.yyyy HH-mm-ss"), "06.11.1994 08-49-37"),
        ]
    )
    func forms(_ format: SignatureTimeFormat, _ text: String) throws {
        let scheme = TemplateScheme(
            adding: [.field("Time", "\(.time(format))")],
            signing: "\(.time(format))",
            with: .hmac(.sha256),
            in: .field("Sign", "\(.signature)")
        )
        let key = SigningKey(id: "a", secret: "b".utf8)
        let date = Date(timeIntervalSince1970: 784_111_777.25)
        let context = SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: ""))

        let signed = try scheme.sign(.get("https://h.example/"), context)

        expectEqual(signed.headers["Time"], text)
        expectTrue(scheme.isGenuine(signed, with: key, date: date))
        if format != .day {
            expectTrue(!scheme.isGenuine(signed, with: key, date: date + 400))
        }
    }
}
