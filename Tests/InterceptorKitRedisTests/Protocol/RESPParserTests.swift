#if Redis
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import NIOCore
import TestSupport
import Testing

@testable import InterceptorKitRedis

@Suite("RESPParser")
struct RESPParserTests {
    private static func text(_ text: String) -> RESPValue { .text(ByteBuffer(string: text)) }

    /// The kinds of the specification, each with what it means.
    static let replies: [(String, RESPValue)] = [
        ("+OK\r\n", text("OK")),
        ("-NOSCRIPT No matching script.\r\n", .error("NOSCRIPT No matching script.")),
        (":1000\r\n", .integer(1000)),
        (":-7\r\n", .integer(-7)),
        ("$5\r\nhello\r\n", text("hello")),
        ("$0\r\n\r\n", text("")),
        ("$4\r\n\r\n\r\n\r\n", text("\r\n\r\n")),
        ("$-1\r\n", .null),
        ("*-1\r\n", .null),
        ("_\r\n", .null),
        ("#t\r\n", .boolean(true)),
        ("#f\r\n", .boolean(false)),
        (",1.23\r\n", .double(1.23)),
        (",inf\r\n", .double(.infinity)),
        (
            "(3492890328409238509324850943850943825024385\r\n",
            text("3492890328409238509324850943850943825024385")
        ),
        ("!21\r\nSYNTAX invalid syntax\r\n", .error("SYNTAX invalid syntax")),
        ("=15\r\ntxt:Some string\r\n", text("Some string")),
        ("*3\r\n:1\r\n$3\r\ntwo\r\n_\r\n", .list([.integer(1), text("two"), .null])),
        ("*0\r\n", .list([])),
        ("~2\r\n+a\r\n#t\r\n", .list([text("a"), .boolean(true)])),
        (
            "%2\r\n+first\r\n:1\r\n+second\r\n*1\r\n:2\r\n",
            .map([text("first"), .integer(1), text("second"), .list([.integer(2)])])
        ),
        ("%0\r\n", .map([])),
        ("|1\r\n+ttl\r\n:3600\r\n:7\r\n", .integer(7)),
        ("*2\r\n|1\r\n+ttl\r\n:3600\r\n:7\r\n:8\r\n", .list([.integer(7), .integer(8)])),
        ("|0\r\n:9\r\n", .integer(9)),
        (">2\r\n+invalidate\r\n*1\r\n+key\r\n", .push([text("invalidate"), .list([text("key")])])),
        ("*1\r\n*2\r\n*0\r\n*1\r\n:1\r\n", .list([.list([.list([]), .list([.integer(1)])])])),
    ]

    @Test("reads every kind of reply", arguments: replies)
    func kinds(bytes: String, value: RESPValue) throws {
        var parser = RESPParser()

        parser.append(ByteBuffer(string: bytes))

        try expectEqual(parser.next(), value)
        try expectEqual(parser.next(), nil)
    }

    @Test("reads the same from two pieces, wherever they are split")
    func splits() throws {
        let all = Self.replies.map(\.0).joined()
        let values = Self.replies.map(\.1)
        let bytes = Array(all.utf8)

        let results = try (0...bytes.count).map { split in
            try Self.parsed([Array(bytes[..<split]), Array(bytes[split...])])
        }

        expectTrue(results.allSatisfy { $0 == values })
    }

    @Test("reads the same from single bytes")
    func singleBytes() throws {
        let all = Self.replies.map(\.0).joined()

        let values = try Self.parsed(Array(all.utf8).map { [$0] })

        expectEqual(values, Self.replies.map(\.1))
    }

    @Test(
        "refuses what no server may send",
        arguments: [
            "?\r\n", "hello\r\n", "\r\n", ":\r\n", ":1.5\r\n", ":99999999999999999999\r\n",
            "$x\r\n",
            "$-2\r\n", "$1\r\nab\r\n", "$?\r\n", "*?\r\n", "*-2\r\n", "#x\r\n", ",\r\n", "_x\r\n",
            "(12a\r\n", "(\r\n", "=2\r\nab\r\n", "+a\rb\r\n", "+a\n\r ", "*1\r\n?\r\n",
            "$99999999999\r\n",
        ]
    )
    func malformed(bytes: String) {
        var parser = RESPParser()

        parser.append(ByteBuffer(string: bytes))

        #expect(throws: RESPSyntaxError.self) {
            while try parser.next() != nil {}
        }
    }

    @Test(
        "refuses what is announced above a limit, before it comes",
        arguments: [
            "$1001\r\n", "!1001\r\n", "*11\r\n", "%6\r\n", "*5\r\n*6\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n", "+" + String(repeating: "a", count: 100),
            "*2\r\n$600\r\n" + String(repeating: "a", count: 600) + "\r\n$600\r\n",
        ]
    )
    func limits(bytes: String) {
        var parser = RESPParser(limits: RESPLimits(size: 1000, line: 100, values: 10, depth: 3))

        parser.append(ByteBuffer(string: bytes))

        #expect(throws: RESPSyntaxError.self) {
            while try parser.next() != nil {}
        }
    }

    @Test("counts the limits of each reply from the start")
    func limitsOfEach() throws {
        var parser = RESPParser(limits: RESPLimits(size: 40, line: 30, values: 3, depth: 1))

        for _ in 0..<100 { parser.append(ByteBuffer(string: "*3\r\n:1\r\n:2\r\n+0123456789\r\n")) }

        var count = 0
        while try parser.next() != nil { count += 1 }
        expectEqual(count, 100)
    }

    @Test("reads random bytes, or refuses them, without a trap")
    func fuzz() async throws {
        let inputs = fuzzCount ?? 20_000
        let alphabet = Array("+-:$*%~>|!=,(#_0123456789\r\n\r\n\r\ntfa ".utf8)

        let outcomes = try await onEverySeed(0..<4) { simulation in
            var refused = 0
            for _ in 0..<(inputs / 4) {
                let count = Int(simulation.runtime.random() % 60)
                let bytes = (0..<count).map { _ in
                    alphabet[Int(simulation.runtime.random() % UInt64(alphabet.count))]
                }
                let whole = Result { try Self.parsed([bytes]) }
                let split = Result { try Self.parsed(bytes.map { [$0] }) }
                if case .failure = whole { refused += 1 }
                guard (try? whole.get()) == (try? split.get()) else { return -1 }
            }
            return refused > 0 ? 1 : 0
        }

        expectEqual(outcomes, 1)
    }

    @Test("writes a command as an array of bulk strings")
    func command() {
        let long = String(repeating: "k", count: 1024)

        let command = RedisCommand("SET", [.text(long), .bytes(Data("a\r\nb".utf8)), ""])

        expectEqual(
            String(decoding: command.bytes, as: UTF8.self),
            "*4\r\n$3\r\nSET\r\n$1024\r\n\(long)\r\n$4\r\na\r\nb\r\n$0\r\n\r\n"
        )
    }

    @Test("shows an error's first word alone, which repeats no argument")
    func errorCode() {
        let unknown = RESPValue.error("ERR unknown command 'HELLO', with args: 'secret'")

        expectEqual(unknown.errorCode, "ERR")
        expectEqual(RESPValue.error("secret").errorCode, "ERR")
        expectEqual(RESPValue.error("").errorCode, "ERR")
        expectEqual(RESPValue.error("NOAUTH Authentication required.").errorCode, "NOAUTH")
        expectEqual(RESPValue.integer(1).errorCode, nil)
    }

    private static func parsed(_ pieces: [[UInt8]]) throws -> [RESPValue] {
        var parser = RESPParser()
        var values: [RESPValue] = []
        for piece in pieces {
            parser.append(ByteBuffer(bytes: piece))
            while let value = try parser.next() { values.append(value) }
        }
        return values
    }
}
#endif
