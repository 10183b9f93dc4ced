#if Redis
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A command with its arguments, in the wire format: an array of bulk strings.
struct RedisCommand: Sendable {
    enum Argument: Sendable {
        case text(String)
        case bytes(Data)
    }

    // An array, because single bytes are appended to it faster than to a `ByteBuffer`.
    private(set) var bytes: [UInt8] = []

    init(_ name: String, _ arguments: [Argument] = []) {
        self.init(name, count: arguments.count)
        for argument in arguments { append(argument) }
    }

    /// Begins a command to which `count` arguments are appended.
    init(_ name: String, count: Int) {
        bytes.reserveCapacity(256)
        writeLine(UInt8(ascii: "*"), count + 1)
        append(.text(name))
    }

    mutating func append(_ argument: Argument) {
        switch argument {
        case .text(let text):
            writeLine(UInt8(ascii: "$"), text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .bytes(let content):
            writeLine(UInt8(ascii: "$"), content.count)
            bytes.append(contentsOf: content)
        }
        writeEnd()
    }

    private mutating func writeLine(_ kind: UInt8, _ count: Int) {
        bytes.append(kind)
        writeDigits(count)
        writeEnd()
    }

    // Without an intermediate string, which would take most of the time of a command.
    private mutating func writeDigits(_ number: Int) {
        if number > 9 { writeDigits(number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private mutating func writeEnd() {
        bytes.append(13)
        bytes.append(10)
    }
}

extension RedisCommand.Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .text(value) }
}
#endif
