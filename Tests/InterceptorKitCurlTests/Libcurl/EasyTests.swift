import Expectations
import Testing

@testable import InterceptorKitCurl

@Suite("Easy")
struct EasyTests {
    // Which loads libcurl.
    init() throws { _ = try Library() }

    @Test("says in libcurl's words that it does not take an option")
    func refused() throws {
        let easy = try unwrap(Easy())

        // CURLE_UNKNOWN_OPTION.
        let error = #expect(throws: CurlError.self) { try easy.set(9_999, 1) }

        expectEqual(error?.code, 48)
        expectEqual(error?.text, easy.error(48).text)
        expectEqual(error?.text.isEmpty, false)
    }

    @Test("has words for each code where libcurl has written none")
    func words() throws {
        let easy = try unwrap(Easy())
        try easy.keepErrorText()

        let texts = (5...7).map { easy.error($0).text }

        expectEqual(Set(texts).count, 3)
        expectTrue(!texts.contains(""))
    }
}
