import InterceptorKit
import Testing

@Suite("AuthorityReader")
struct AuthorityReaderTests {
    @Test("reads the authority of an addressed input")
    func addressed() {
        let authority = AuthorityReader<HTTP.Request>()

        #expect(authority(.get("https://api.example.com/orders")) == "https://api.example.com")
        #expect(authority(.get("/orders")) == nil)
    }

    @Test("reads nothing from an input that cannot tell")
    func notAddressed() {
        #expect(AuthorityReader<Int>()(7) == nil)
    }

    @Test("works where nothing but the type's being an input is known")
    func generic() {
        func read<Input: Interceptable>(_ input: Input) -> String? {
            AuthorityReader<Input>()(input)
        }

        #expect(read(HTTP.Request.get("http://a.example:8080/")) == "http://a.example:8080")
        #expect(read("a text") == nil)
    }
}
