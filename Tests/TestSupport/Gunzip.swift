#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Reads the gzip format, apart from what wrote it (RFC 1951, RFC 1952); `nil` for what isn't such a thing.
package func gunzip(_ data: Data) -> Data? {
    let bytes = Array(data)
    guard bytes.count >= 18, bytes.starts(with: [0x1F, 0x8B, 8, 0]) else { return nil }
    var reader = Inflating(bytes: Array(bytes[10..<(bytes.count - 8)]))
    guard let output = reader.run() else { return nil }
    let end = bytes.suffix(8)
    func number(_ bytes: some Sequence<UInt8>) -> UInt32 {
        Array(bytes).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard number(end.prefix(4)) == crc32(output), number(end.suffix(4)) == UInt32(output.count)
    else { return nil }
    return Data(output)
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
    let table = (0..<256 as Range<UInt32>).map { start in
        (0..<8).reduce(start) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
    return ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
}

private struct Inflating {
    let bytes: [UInt8]
    var place = 0
    var output: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func bits(_ count: Int) -> Int? {
        var value = 0
        for shift in 0..<count {
            guard place / 8 < bytes.count else { return nil }
            value |= Int(bytes[place / 8] >> (place % 8) & 1) << shift
            place += 1
        }
        return value
    }

    mutating func run() -> [UInt8]? {
        while true {
            guard let isLast = bits(1), let kind = bits(2) else { return nil }
            let isRead =
                switch kind {
                case 0: stored()
                case 1: coded(Code(Self.fixedLengths), Code([Int](repeating: 5, count: 30)))
                case 2: described()
                default: false
                }
            guard isRead else { return nil }
            if isLast == 1 { return (place + 7) / 8 == bytes.count ? output : nil }
        }
    }

    private static let fixedLengths = (0..<288).map {
        $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8
    }

    private mutating func stored() -> Bool {
        place = (place + 7) / 8 * 8
        guard let length = bits(16), let check = bits(16), length ^ 0xFFFF == check,
            place / 8 + length <= bytes.count
        else { return false }
        output += bytes[(place / 8)..<(place / 8 + length)]
        place += length * 8
        return true
    }

    private mutating func described() -> Bool {
        guard let more = bits(5), let far = bits(5), let count = bits(4) else { return false }
        var lengths = [Int](repeating: 0, count: 19)
        for index in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
            .prefix(count + 4)
        {
            guard let length = bits(3) else { return false }
            lengths[index] = length
        }
        let code = Code(lengths)
        var all: [Int] = []
        while all.count < more + 257 + far + 1 {
            guard let symbol = symbol(code) else { return false }
            switch symbol {
            case 16: all += [Int](repeating: all.last ?? 0, count: 3 + (bits(2) ?? 0))
            case 17: all += [Int](repeating: 0, count: 3 + (bits(3) ?? 0))
            case 18: all += [Int](repeating: 0, count: 11 + (bits(7) ?? 0))
            default: all.append(symbol)
            }
        }
        return coded(Code(Array(all.prefix(more + 257))), Code(Array(all.dropFirst(more + 257))))
    }

    private mutating func coded(_ literals: Code, _ distances: Code) -> Bool {
        let bases = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
            115,
            131, 163, 195, 227, 258,
        ]
        while let symbol = symbol(literals) {
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            let index = symbol - 257
            let extra = index < 8 || index == 28 ? 0 : index / 4 - 1
            guard index < bases.count, let more = bits(extra), let far = self.symbol(distances),
                let rest = bits(max(0, far / 2 - 1))
            else { return false }
            let distance = (far < 4 ? far + 1 : (2 + far % 2) << (far / 2 - 1) + 1) + rest
            guard distance <= output.count else { return false }
            for _ in 0..<(bases[index] + more) { output.append(output[output.count - distance]) }
        }
        return false
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var value = 0
        var (first, index) = (0, 0)
        for length in 1..<16 {
            guard let bit = bits(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - first < count { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    struct Code {
        let counts: [Int]
        let symbols: [Int]

        init(_ lengths: [Int]) {
            counts = (0..<16).map { length in length == 0 ? 0 : lengths.count { $0 == length } }
            symbols = (1..<16).flatMap { length in lengths.indices.filter { lengths[$0] == length }
            }
        }
    }
}
