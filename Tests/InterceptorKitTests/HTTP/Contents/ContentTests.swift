import Expectations
import Testing

@testable import InterceptorKit

@Suite("HTTP.Content")
struct ContentTests {
    @Test("takes the place of a request's media type if it has one")
    func mediaType() {
        let request = HTTP.Request.post("/o", headers: ["content-type": "own"], body: "draft")

        let typed = request.content(HTTP.Content("tea", mediaType: "a/b"))
        let untyped = request.content(HTTP.Content("tea"))

        expectEqual(typed.headers.values("Content-Type"), ["a/b"])
        expectEqual(untyped.headers.values("Content-Type"), ["own"])
        expectTrue(typed.body.length == 3 && untyped.body.length == 3)
    }

    @Test("has the media type that its body was made as")
    func made() throws {
        expectEqual(HTTP.Content(made: .text("tea")).mediaType, "text/plain; charset=utf-8")
        expectEqual(HTTP.Content(made: try .json([1])).mediaType, "application/json")
        expectEqual(HTTP.Content(made: .bytes([1])).mediaType, nil)
    }
}
