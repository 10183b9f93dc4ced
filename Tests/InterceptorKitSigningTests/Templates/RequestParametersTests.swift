import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("RequestParameters")
struct RequestParametersTests {
    private func text(_ query: String, _ parameters: RequestParameters) -> String {
        let pairs = HTTP.FormPair.pairs(of: query.utf8, plusIsBlank: true)
        return String(decoding: parameters.text(of: pairs), as: UTF8.self)
    }

    @Test("are sorted by name and then by value, as bytes")
    func order() {
        expectEqual(text("b=2&a=10&B=1&a=9&a=&é=0", RequestParameters()), "B=1&a=&a=10&a=9&b=2&é=0")
        expectEqual(text("", RequestParameters()), "")
    }

    @Test("are sorted as they are or as they are encoded, as is asked for")
    func encoding() {
        var decoded = RequestParameters.encoded
        decoded.sortsDecoded = true

        // A tilde stays as it is and sorts behind what the others are encoded to.
        let query = "~=1&%7B=2&a+b=%26&z=3"
        expectEqual(text(query, .encoded), "%7B=2&a%20b=%26&z=3&~=1")
        expectEqual(text(query, decoded), "a%20b=%26&z=3&%7B=2&~=1")
        expectEqual(text(query, RequestParameters()), "a b=&&z=3&{=2&~=1")
    }

    @Test("count repeats of a pair once if asked for, though they stand apart")
    func repeats() {
        var once = RequestParameters.concatenated()
        once.countsRepeatsOnce = true

        expectEqual(text("a=1&b=2&a=1&a=3&b=2", once), "a1a3b2")
        expectEqual(text("a=1&b=2&a=1&a=3&b=2", .concatenated()), "a1a1a3b2b2")
    }
}
