import Expectations
import InterceptorKit
import Testing

@Suite("HTTP.FormPair")
struct FormPairTests {
    @Test("is read up to the first equals sign; empty ones are left out")
    func pairs() {
        let pairs = HTTP.FormPair.pairs(of: "a=1&&b&c=&=d&e=f=g&".utf8)

        let texts = pairs.map { [$0.name, $0.value].map { String(decoding: $0, as: UTF8.self) } }
        expectEqual(texts, [["a", "1"], ["b", ""], ["c", ""], ["", "d"], ["e", "f=g"]])
    }

    @Test("takes a plus sign for a blank only in forms")
    func blanks() {
        let text = "a+b=%2B+".utf8

        let query = HTTP.FormPair.pairs(of: text)
        let form = HTTP.FormPair.pairs(of: text, plusIsBlank: true)

        expectEqual(query, [HTTP.FormPair("a+b".utf8, "++".utf8)])
        expectEqual(form, [HTTP.FormPair("a b".utf8, "+ ".utf8)])
        expectTrue(form[0].isNamed("a b") && !form[0].isNamed("a"))
    }

    @Test("is removed by its decoded name, and all else stays byte for byte")
    func removing() {
        let text = "a%20b=1&x=%31&a+b=2&&A%20b&y=a%20b&a%20b".utf8

        let query = HTTP.FormPair.removing("a b", from: text)
        let form = HTTP.FormPair.removing("a b", from: text, plusIsBlank: true)

        expectEqual(String(decoding: query, as: UTF8.self), "x=%31&a+b=2&&A%20b&y=a%20b")
        expectEqual(String(decoding: form, as: UTF8.self), "x=%31&&A%20b&y=a%20b")
    }
}
