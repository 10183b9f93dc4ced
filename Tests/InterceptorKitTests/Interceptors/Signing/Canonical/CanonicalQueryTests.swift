import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("CanonicalQuery")
struct CanonicalQueryTests {
    private func canonical(_ query: String, leavingOut names: [String] = []) -> String {
        var text = CanonicalWriter()
        text.append("before?")
        text.appendQuery(Array(query.utf8)[...], leavingOut: names)
        return String(text.string.dropFirst("before?".count))
    }

    @Test(
        "sorts by name, then value, and encodes one way",
        arguments: [
            ("", ""), ("&&", ""), ("a", "a="), ("=", "="), ("=x", "=x"), ("a=b=c", "a=b%3Dc"),
            ("b=1&a=2", "a=2&b=1"), ("a=2&a=1&a=10", "a=1&a=10&a=2"),
            ("ab=1&a=2", "a=2&ab=1"), ("a-=1&a=2", "a=2&a-=1"), ("a=1&A=1", "A=1&a=1"),
            ("%62=1&a=%7e", "a=~&b=1"), ("a=%c3%a9&a=é", "a=%C3%A9&a=%C3%A9"),
            ("a=+&b=%20", "a=%2B&b=%20"), ("a=%&b=%4", "a=%25&b=%254"), ("a=%FF", "a=%FF"),
            ("c&&b=&a=1&", "a=1&b=&c="),
        ]
    )
    func written(query: String, text: String) {
        expectEqual(canonical(query), text)
    }

    @Test(
        "leaves out parameters by their whole name, however it is written",
        arguments: [
            ("sign=x", ""), ("a=1&sign=x", "a=1"), ("sign&b=1&a=2", "a=2&b=1"),
            ("s%69gn=x&a=1", "a=1"), ("sign=1&sign=2&a=1", "a=1"), ("signs=x", "signs=x"),
            ("Sign=x", "Sign=x"), ("a=sign", "a=sign"), ("b=1&sign=x&a=2", "a=2&b=1"),
        ]
    )
    func leftOut(query: String, text: String) {
        expectEqual(canonical(query, leavingOut: ["sign"]), text)
    }

    @Test("has one text for all orders of the same parameters")
    func anyOrder() {
        var random = SeededGenerator(seed: 11)
        let parameters = ["a=1", "a=2", "a", "a-=1", "%61b=1", "b=%20", "b=+", "z=é", "=x"]
        let text = canonical(parameters.joined(separator: "&"))

        for _ in 0..<200 {
            let order = parameters.shuffled(using: &random)

            expectEqual(canonical(order.joined(separator: "&")), text)
        }
    }
}
