#if Redis
import NIOCore

/// A command with its arguments, as the array of bulk strings that servers read.
struct RedisCommand: Sendable {
    enum Argument: Sendable {
        case text(String)
        case bytes(ByteBuffer)
    }

    private(set) var bytes = ByteBuffer()

    init(_ name: String, _ arguments: [Argument] = []) {
        self.init(name, count: arguments.count)
        for argument in arguments { append(argument) }
    }

    /// Begins a command that so many arguments are appended to.
    init(_ name: String, count: Int) {
        bytes.reserveCapacity(256)
        writeHead("*", count + 1)
        append(.text(name))
    }

    mutating func append(_ argument: Argument) {
        switch argument {
        case .text(let text):
            writeHead("$", text.utf8.count)
            bytes.writeString(text)
        case .bytes(let content):
            writeHead("$", content.readableBytes)
            bytes.writeImmutableBuffer(content)
        }
        bytes.writeStaticString("\r\n")
    }

    private mutating func writeHead(_ kind: StaticString, _ count: Int) {
        bytes.writeStaticString(kind)
        writeDigits(count)
        bytes.writeStaticString("\r\n")
    }

    // Without a string on the way, which takes most of the time of a command.
    private mutating func writeDigits(_ number: Int) {
        if number > 9 { writeDigits(number / 10) }
        bytes.writeInteger(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension RedisCommand.Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .text(value) }
}
#endif
