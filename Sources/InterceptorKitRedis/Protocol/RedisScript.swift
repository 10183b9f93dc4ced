#if Redis
import InterceptorKit

/// A script that the server runs atomically and caches under the digest of its text.
struct RedisScript: Sendable {
    let source: String
    let digest: String

    init(_ source: String) {
        self.source = source
        digest = HashAlgorithm.sha1.hash(source.utf8).hexadecimal
    }

    /// Returns the command for a server that has the script.
    func command(_ keys: [String], _ arguments: [RedisCommand.Argument]) -> RedisCommand {
        Self.command("EVALSHA", digest, keys, arguments)
    }

    /// Returns the command that also contains the script.
    func complete(_ keys: [String], _ arguments: [RedisCommand.Argument]) -> RedisCommand {
        Self.command("EVAL", source, keys, arguments)
    }

    private static func command(
        _ name: String,
        _ script: String,
        _ keys: [String],
        _ arguments: [RedisCommand.Argument]
    ) -> RedisCommand {
        var command = RedisCommand(name, count: 2 + keys.count + arguments.count)
        command.append(.text(script))
        command.append(.text(String(keys.count)))
        for key in keys { command.append(.text(key)) }
        for argument in arguments { command.append(argument) }
        return command
    }
}
#endif
