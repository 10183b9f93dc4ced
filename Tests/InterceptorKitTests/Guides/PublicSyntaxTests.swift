import InterceptorKit
import Testing

@Suite("Syntax for interceptors")
struct PublicSyntaxTests {
    @Test("encodes all but unreserved characters, and decodes them")
    func percent() {
        #expect(PercentEncoding.encode("a-b/ü") == "a-b%2F%C3%BC")
        #expect(PercentEncoding.decode("a%2fb%zz") == "a/b%zz")
        #expect(PercentEncoding.decodedBytes("a+%00".utf8, plusIsBlank: true) == [97, 32, 0])
    }

    @Test("compares bytes")
    func bytes() {
        #expect(ConstantTime.isEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.isEqual([1, 2], [1, 3]) && !ConstantTime.isEqual([1], [1, 2]))
    }
}
