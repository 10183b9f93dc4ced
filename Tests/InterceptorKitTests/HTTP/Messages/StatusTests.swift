import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("HTTP.Status")
struct StatusTests {
    @Test(
        "has the class of its first digit",
        arguments: [
            (199, nil), (200, 2), (299, 2), (300, 3), (399, 3), (400, 4), (499, 4), (500, 5),
            (599, 5), (600, nil),
        ] as [(Int, Int?)]
    )
    func classes(code: Int, expected: Int?) {
        let status = HTTP.Status(code)

        let found = [
            status.isSuccess, status.isRedirection, status.isClientError, status.isServerError,
        ]

        expectEqual(found, (2...5).map { $0 == expected })
    }
}
