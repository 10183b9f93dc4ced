import Expectations
import Testing

@testable import InterceptorKitTransport

@Suite("SetCookieSplitting")
struct SetCookieSplittingTests {
    @Test(
        "splits joined Set-Cookie lines only where a cookie begins",
        arguments: [
            ["a=1"],
            ["a=1", "b=2"],
            ["a=1; Path=/; HttpOnly", "b=2; Secure"],
            ["id=7; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "b=2"],
            ["id=7; Expires=Wed, 09 Jun 2021 10:18:14 GMT; Path=/", "b=; Max-Age=0"],
            ["id=7; Expires=Wednesday, 09-Jun-21 10:18:14 GMT", "b=2", "c=3"],
            ["list=1,2,3; Path=/", "b=x,y=z"],
            ["quoted=\"a, b=c\"; Path=/", "b=2"],
            ["open=\"half", "b=2"],
            [
                "a=1; Expires=Wed, 09 Jun 2021 10:18:14 GMT",
                "a=2; Expires=Thu, 10 Jun 2021 10:18:14 GMT",
            ],
            [""],
        ]
    )
    func splits(cookies: [String]) {
        let joined = cookies.joined(separator: ", ")

        let split = splitSetCookie(joined)

        expectEqual(split, cookies)
    }
}
