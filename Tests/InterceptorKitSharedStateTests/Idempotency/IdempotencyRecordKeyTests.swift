import Expectations
import InterceptorKitSharedState
import Testing

@Suite("IdempotencyRecordKey")
struct IdempotencyRecordKeyTests {
    @Test("names records of other principals, routes and keys differently")
    func names() {
        let keys = [
            IdempotencyRecordKey(principal: "a", route: "POST /orders", key: "k"),
            IdempotencyRecordKey(principal: "b", route: "POST /orders", key: "k"),
            IdempotencyRecordKey(principal: "a", route: "POST /refunds", key: "k"),
            IdempotencyRecordKey(principal: "a", route: "POST /orders", key: "l"),
            IdempotencyRecordKey(principal: "a1:P", route: "OST /orders", key: "k"),
        ]

        let names = Set(keys.map(\.name))

        expectEqual(names.count, keys.count)
        expectTrue(names.allSatisfy { $0.utf8.count == 64 })
    }

    @Test("shows neither the principal nor the client's key")
    func description() {
        let key = IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: "secret-7")

        expectEqual("\(key)", "POST /orders, record \(key.name.prefix(8))")
    }

    @Test("shows neither the principal nor the client's key, in a dump either")
    func secrecy() {
        let key = IdempotencyRecordKey(principal: "alice", route: "POST /orders", key: "k-17")

        var dumped = ""
        dump(key, to: &dumped)

        expectTrue(dumped.contains("POST /orders, record "))
        for text in ["\(key)", dumped] {
            expectTrue(!text.contains("alice") && !text.contains("k-17"))
        }
    }
}
