import Expectations
import InterceptorKitTesting
import Testing

@Suite("editDistance")
struct EditDistanceTests {
    @Test(
        "is the fewest edits over the longer text's length, in both directions",
        arguments: [
            ("kitten", "sitting", 3.0 / 7), ("flaw", "lawn", 0.5), ("/orders/7", "/orders/17", 0.1),
            ("abc", "abc", 0), ("abc", "xyz", 1), ("", "abc", 1), ("", "", 0), ("ab", "ba", 1),
        ] as [(String, String, Double)]
    )
    func known(left: String, right: String, distance: Double) {
        expectEqual(editDistance(left, right), distance)
        expectEqual(editDistance(right, left), distance)
    }

    @Test("compares the first 256 bytes alone")
    func bounded() {
        let text = String(repeating: "a", count: 256)

        expectEqual(editDistance(text + "b", text + "cde"), 0)
        expectEqual(editDistance(text.dropLast() + "b", text), 1.0 / 256)
    }
}
