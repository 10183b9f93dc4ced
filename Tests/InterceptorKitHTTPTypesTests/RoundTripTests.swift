#if HTTPTypes
import Expectations
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import InterceptorKitTesting
import Testing

/// What is converted and converted back is what it was, or the conversion says what does not fit.
@Suite("Round trips through HTTPTypes")
struct RoundTripTests {
    private static let count = 1_000

    @Test("leave a request unchanged", arguments: [1, 2, 3] as [UInt64])
    func requests(seed: UInt64) throws {
        var messages = MessageGenerator(seed: seed)
        for _ in 0..<RoundTripTests.count {
            let request = messages.request()

            let back = try HTTP.Request(HTTPRequest(request), body: request.body)

            expectEqual(back.method, request.method)
            expectEqual(back.url, request.url)
            expectEqual(Array(back.headers), Array(request.headers))
            expectEqual(back.body.inMemory, request.body.inMemory)
        }
    }

    @Test("leave an HTTPRequest unchanged or refuse it", arguments: [1, 2] as [UInt64])
    func foreign(seed: UInt64) throws {
        var messages = MessageGenerator(seed: seed)
        var converted = 0
        for _ in 0..<RoundTripTests.count {
            let request = messages.foreignRequest()
            do throws(HTTP.RequestError) {
                let back = try HTTPRequest(HTTP.Request(request))
                converted += 1

                expectEqual(back, request)
                expectEqual(
                    back.headerFields.map(\.name.rawName),
                    request.headerFields.map(\.name.rawName)
                )
            } catch {
                expectTrue([.invalidURL, .unsupportedScheme, .invalidField].contains(error.code))
            }
        }
        expectTrue(converted > RoundTripTests.count / 10)
        expectTrue(converted < RoundTripTests.count)
    }
}
#endif
