import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("EntryBytes")
struct EntryBytesTests {
    private func reader(_ write: (inout EntryBytesWriter) -> Void) -> EntryBytesReader {
        var writer = EntryBytesWriter()
        write(&writer)
        return EntryBytesReader(writer.bytes, in: 0..<writer.bytes.count)
    }

    @Test("are read as they were written")
    func roundTrip() {
        var reader = reader { writer in
            writer.append(0x0102_0304_0506_0708 as UInt64)
            writer.append(UInt64.max)
            writer.append(-1)
            writer.append("ü\u{0}")
            writer.append("")
            writer.append(nil)
            writer.append("x" as String?)
        }

        expectEqual(reader.number(), 0x0102_0304_0506_0708)
        expectEqual(reader.number(), .max)
        expectEqual(reader.number(), .max)
        expectEqual(reader.text(), "ü\u{0}")
        expectEqual(reader.text(), "")
        expectEqual(reader.optionalText(), .some(nil))
        expectTrue(!reader.isAtEnd)
        expectEqual(reader.optionalText(), "x")
        expectTrue(reader.isAtEnd)
    }

    @Test("have the least significant byte first")
    func order() {
        var writer = EntryBytesWriter()
        writer.append(0x0102_0304_0506_0708 as UInt64)

        expectEqual(writer.bytes, [8, 7, 6, 5, 4, 3, 2, 1])
    }

    @Test("are never read beyond their end, nor beyond that of the range")
    func bounds() {
        let bytes: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0, 65, 66]

        for end in 0..<bytes.count {
            var reader = EntryBytesReader(bytes, in: 0..<end)
            expectEqual(reader.text(), nil, "\(end)")
        }
        var whole = EntryBytesReader(bytes, in: 0..<100)
        expectEqual(whole.text(), "AB")
        expectEqual(whole.number(), nil)
        var outside = EntryBytesReader(bytes, in: 90..<100)
        expectEqual(outside.number(), nil)
        expectTrue(outside.isAtEnd)
    }

    @Test("are refused where they are no count, no text or no mark")
    func refused() {
        let rest = [UInt8](repeating: 0xFF, count: 3)

        for count in [4, 1 << 62, -1] {
            var writer = EntryBytesWriter()
            writer.append(count)
            var reader = EntryBytesReader(writer.bytes + rest, in: 0..<11)
            expectEqual(reader.count(), nil, "\(count)")
        }
        var writer = EntryBytesWriter()
        writer.append(3)
        var text = EntryBytesReader(writer.bytes + rest, in: 0..<11)
        expectEqual(text.text(), nil)
        var mark = reader { $0.append(2) }
        expectEqual(mark.optionalText(), nil)
    }
}
