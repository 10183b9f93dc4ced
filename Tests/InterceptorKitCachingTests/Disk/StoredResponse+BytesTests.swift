import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("StoredResponse, as bytes")
struct StoredResponseBytesTests {
    private let sample = StoredResponse.sample(
        partition: "p",
        selection: [.init(name: "accept", value: "a"), .init(name: "x", value: nil)],
        headers: ["ETag": #""1""#, "X-Empty": ""]
    )

    private func read(_ bytes: [UInt8]) -> StoredResponse? {
        StoredResponse(id: 1, bytes, in: 0..<bytes.count)
    }

    @Test("is read back whole, and from nothing shorter or longer")
    func wholeOnly() throws {
        let bytes = sample.bytes

        let found = try unwrap(read(bytes))
        expectEqual(found.bytes, bytes)
        expectEqual(found.selection, sample.selection)
        for count in 0..<bytes.count { expectTrue(read(Array(bytes.prefix(count))) == nil) }
        expectTrue(read(bytes + [0]) == nil)
    }

    @Test("is nil for dates that are not a number or have no end")
    func invalid() {
        let never = StoredResponse.sample(respondedAt: .nan)
        let endless = StoredResponse.sample(respondedAt: .infinity)

        for response in [never, endless] { expectTrue(read(response.bytes) == nil) }
    }

    @Test("is read from changed bytes as what they say, or not at all")
    func changed() {
        let bytes = sample.bytes
        var chance = SplitMix64(seed: 3)

        for _ in 0..<5000 {
            var changed = bytes
            for _ in 0...chance.next() % 3 {
                changed[Int(chance.next() % UInt64(bytes.count))] = UInt8(chance.next() % 256)
            }
            if let found = read(changed) { expectEqual(found.headers.problem, nil) }
        }
    }
}
