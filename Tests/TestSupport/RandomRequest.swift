package import InterceptorKit
package import InterceptorKitTesting

/// A request of any shape that can be sent: its URL as it stands on the wire, with content or without.
package func randomRequest(_ random: inout SeededGenerator) -> HTTP.Request {
    func text(_ alphabet: String, _ lengths: ClosedRange<Int>) -> String {
        let letters = Array(alphabet)
        let count = Int.random(in: lengths, using: &random)
        return String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" })
    }
    let words = "abcXYZ019-_.~*!$'();:@,+"
    let path = (0..<Int.random(in: 0...3, using: &random)).map { _ in "/" + text(words, 0...6) }
    let query = Bool.random(using: &random) ? "?" + text(words + "&=?/", 0...20) : ""
    var request = HTTP.Request(
        [.get, .post, .put, .delete].randomElement(using: &random) ?? .get,
        HTTP.URL("https://\(text("abc", 1...5)).example\(raw: path.joined())\(raw: query)")
            .normalized
    )
    if Bool.random(using: &random) {
        request.body = .text(text(words + "é ", 1...30))
        request.headers["Content-Type"] = "text/\(text("abc", 1...5)); charset=utf-8"
    }
    if Bool.random(using: &random) {
        request.headers["Authorization"] = "Bearer \(text(words, 1...9))"
    }
    return request
}
