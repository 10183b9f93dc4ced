import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitEngine

@Suite("ResponseHead")
struct ResponseHeadTests {
    @Test(
        "has one length if each statement of it is the same number",
        arguments: [
            ("5", true), ("5,5\t,5", true), ("0", true), ("5, 6", false),
            ("5,", false), (",5", false), ("5 5", false), ("5; 5", false), ("0x5", false),
        ]
    )
    func length(stated: String, expected: Bool) {
        let head = ResponseHead(status: 200, headers: ["Content-Length": stated])

        expectEqual(head.hasOneLength, expected)
    }

    @Test("has a body unless its method, status or length says otherwise")
    func bodiless() {
        func isBodiless(_ method: HTTP.Method, _ status: HTTP.Status, _ length: String?) -> Bool {
            let headers: HTTP.Headers = length.map { ["Content-Length": $0] } ?? [:]
            return ResponseHead(status: status, headers: headers).isBodiless(method: method)
        }

        expectTrue(isBodiless(.head, 200, "5"))
        expectTrue(isBodiless(.get, 204, nil) && isBodiless(.get, 304, "5"))
        expectTrue(isBodiless(.get, 200, "0"))
        expectTrue(!isBodiless(.get, 200, "5") && !isBodiless(.post, 205, nil))
    }
}
