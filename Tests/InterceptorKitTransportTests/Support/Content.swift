import Foundation

/// Bytes that tell what was left out, doubled or exchanged. A debug build takes a second to make
/// millions one by one, so they repeat after a prime number.
enum Content {
    static let large = bytes(3_000_000)

    private static func bytes(_ count: Int) -> Data {
        let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        var data = Data(capacity: count + block.count)
        while data.count < count { data += block }
        return data.prefix(count)
    }
}
