import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("EntryHeader")
struct EntryHeaderTests {
    private func header(head: Int, body: Int) -> EntryHeader {
        EntryHeader(kind: .response, nonce: 5, id: 7, headLength: head, bodyLength: body)
    }

    @Test(
        "is read from a file of the right size, and no other",
        arguments: [0, 1, 65_535, 65_536, 65_537, 200_000]
    )
    func size(body: Int) {
        let written = header(head: 3, body: body)
        let bytes = written.bytes(before: [1, 2, 3])
        // The header, the head, the body, and eight bytes for each block.
        let size = 48 + 3 + body + (body + 65_535) / 65_536 * 8

        expectEqual(EntryHeader(bytes, kind: .response, fileSize: size), written)
        for other in [size - 1, size + 1, size + 8, 0] {
            expectEqual(EntryHeader(bytes, kind: .response, fileSize: other), nil)
        }
        expectEqual(EntryHeader(bytes, kind: .freshened, fileSize: size), nil)
    }

    @Test("is nil for a beginning that is too short or states absurd lengths")
    func absurd() {
        let bytes = header(head: 0, body: 0).bytes(before: [])

        for count in 0..<48 {
            let beginning = Array(bytes.prefix(count))
            expectEqual(EntryHeader(beginning, kind: .response, fileSize: 48), nil, "\(count)")
        }
        for place in [32..<40, 40..<48] {
            var changed = bytes
            changed.replaceSubrange(place, with: Array(repeating: 0xFF, count: 8))
            expectEqual(EntryHeader(changed, kind: .response, fileSize: .max), nil)
        }
    }

    @Test("tells any changed byte of itself and of the head")
    func sums() throws {
        let written = header(head: 20, body: 0)
        let bytes = written.bytes(before: Array(0..<20))

        expectTrue(written.isWhole(bytes))
        for index in 8..<bytes.count {
            var changed = bytes
            changed[index] ^= 1
            expectTrue(!written.isWhole(changed), "byte \(index)")
        }
    }

    @Test("cuts a body into blocks that cover it")
    func blocks() {
        let whole = header(head: 0, body: 131_073)

        expectEqual((0..<3).map(whole.block), [0..<65_536, 65_536..<131_072, 131_072..<131_073])
        expectEqual(whole.tableLength, 24)
        expectEqual(header(head: 0, body: 131_072).tableLength, 16)
    }
}
