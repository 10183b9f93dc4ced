import Expectations
import Testing

@testable import InterceptorKit

@Suite("The Idempotency-Key field")
struct IdempotencyKeyTests {
    @Test(
        "is read and written as the IETF draft does",
        arguments: ["8e03978e-40d5-43e8-bc93-6894a57f9324", "clkyoesmbgybucifusbbtdsbohtyuuwz"]
    )
    func publishedKey(key: String) {
        var headers: HTTP.Headers = ["Idempotency-Key": #""\#(key)""#]
        expectEqual(headers.idempotencyKey, key)

        headers["Idempotency-Key"] = nil
        headers.idempotencyKey = key
        expectEqual(headers["Idempotency-Key"], #""\#(key)""#)
    }

    @Test(
        "names an operation with and without quotes, but not if it is empty",
        arguments: [
            (#""k""#, "k", true), ("k", nil, true), (#""""#, "", false), ("", nil, false),
            (nil, nil, false),
        ] as [(String?, String?, Bool)]
    )
    func naming(value: String?, key: String?, hasIdempotencyKey: Bool) {
        var headers = HTTP.Headers()
        headers["Idempotency-Key"] = value

        expectEqual(headers.idempotencyKey, key)
        expectEqual(headers.hasIdempotencyKey, hasIdempotencyKey)
    }
}
