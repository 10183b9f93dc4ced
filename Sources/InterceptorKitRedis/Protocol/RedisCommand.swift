#if Redis
import NIOCore

/// A command with its arguments.
struct RedisCommand: Sendable {
    enum Argument: Sendable {
        case text(String)
        case bytes(ByteBuffer)
    }

    var arguments: [Argument]

    init(_ name: String, _ arguments: [Argument] = []) {
        self.arguments = [.text(name)] + arguments
    }

    /// Appends it as the array of bulk strings that servers read.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("*\(arguments.count)\r\n")
        for argument in arguments {
            switch argument {
            case .text(let text):
                buffer.writeString("$\(text.utf8.count)\r\n")
                buffer.writeString(text)
            case .bytes(let bytes):
                buffer.writeString("$\(bytes.readableBytes)\r\n")
                buffer.writeImmutableBuffer(bytes)
            }
            buffer.writeStaticString("\r\n")
        }
    }
}

extension RedisCommand.Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self = .text(value) }
}
#endif
