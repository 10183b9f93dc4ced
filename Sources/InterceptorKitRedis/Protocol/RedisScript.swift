#if Redis
import InterceptorKit

/// A script that the server runs in one step, known there by the digest of its text.
struct RedisScript: Sendable {
    let source: String
    let digest: String

    init(_ source: String) {
        self.source = source
        digest = HashAlgorithm.sha1.hash(source.utf8).hexadecimal
    }

    /// The command for a server that has the script.
    func command(_ keys: [String], _ arguments: [RedisCommand.Argument]) -> RedisCommand {
        RedisCommand("EVALSHA", [.text(digest)] + Self.rest(keys, arguments))
    }

    /// The command that also brings the script.
    func complete(_ keys: [String], _ arguments: [RedisCommand.Argument]) -> RedisCommand {
        RedisCommand("EVAL", [.text(source)] + Self.rest(keys, arguments))
    }

    private static func rest(
        _ keys: [String],
        _ arguments: [RedisCommand.Argument]
    ) -> [RedisCommand.Argument] {
        [.text("\(keys.count)")] + keys.map { .text($0) } + arguments
    }
}
#endif
