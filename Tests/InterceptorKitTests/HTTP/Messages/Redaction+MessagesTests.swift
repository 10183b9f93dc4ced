import Expectations
import InterceptorKit
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Redaction of messages")
struct RedactionMessagesTests {
    @Test("keeps fields in order, and hides secrets also in those it shows")
    func fields() {
        let headers: HTTP.Headers = [
            "Accept": "a", "X-Own": "b", "accept": "c; token=12345678x", "LOCATION": "/?sig=d",
        ]

        let shown = Redaction.standard.headers(headers)

        expectEqual(shown.map(\.name), ["Accept", "X-Own", "accept", "LOCATION"])
        expectEqual(shown.map(\.value), ["a", "██", "c; token=██", "/?sig=██"])
    }

    @Test("reads a body by its media type and coding")
    func body() throws {
        let bytes = Data([0x1F, 0x8B, 0x08, 0xFF])
        let form = Data("pin=1234&a=b".utf8)

        let coded = Redaction.standard.body(bytes, of: ["Content-Encoding": "gzip"])
        let image = Redaction.standard.body(bytes, of: ["Content-Type": "image/png"])
        let sent = Redaction.standard.body(
            form,
            of: ["Content-Type": "application/x-www-form-urlencoded"]
        )

        guard case .withheld = coded else {
            Issue.record("Compressed content was shown as \(coded).")
            return
        }
        expectEqual(image, .binary(bytes))
        expectEqual(sent, .text("pin=██&a=b"))
    }
}
