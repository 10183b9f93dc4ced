import Expectations
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("HTTP.ContentError")
struct ContentErrorTests {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
        init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
    }

    private func refused(at path: [Key]) -> String {
        let context = EncodingError.Context(codingPath: path, debugDescription: "s3cret")
        return HTTP.ContentError.cannotEncode(
            Int.self,
            EncodingError.invalidValue("s3cret", context)
        ).message
    }

    @Test("names the place of what cannot be encoded, escaped, if there is one")
    func places() {
        let nested = refused(at: [Key(stringValue: "a\nb"), Key(intValue: 2)])
        let top = refused(at: [])

        expectTrue(nested.contains(#" encoded at "a\nb.2": the encoder "#), "\(nested)")
        expectTrue(top.contains(" encoded: the encoder "), "\(top)")
        expectTrue(!(nested + top).contains("s3cret"))
    }

    @Test("dumps the type of its cause, and nothing that it quotes")
    func dumped() {
        let error = HTTP.ContentError(.emptyBody, "Nothing.", cause: Problem(text: "s3cret"))
        var text = ""

        dump(error, to: &text)

        expectTrue(text.contains("Problem") && text.contains("emptyBody"))
        expectTrue(!text.contains("s3cret"))
    }
}
