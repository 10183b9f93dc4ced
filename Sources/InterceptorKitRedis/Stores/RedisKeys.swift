#if Redis
import InterceptorKit

/// The names of a store's keys: a prefix, and the digest of what a client chose.
///
/// So every name has one length, shows nobody's id, and cannot be made to equal another.
struct RedisKeys: Sendable {
    let prefix: String

    init(prefix: String, _ kind: String) { self.prefix = "\(prefix):\(kind):" }

    func named(_ name: String) -> String { prefix + name }

    func digest(of parts: String...) -> String {
        var hash = RunningHash(.sha256)
        for part in parts {
            // The length first, so that no two lists of parts are one text.
            hash.update("\(part.utf8.count):".utf8)
            hash.update(part.utf8)
        }
        return prefix + hash.finalize().hexadecimal
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least one and at most a century.
    var wholeMilliseconds: Int64 {
        Int64(
            (min(max(self, .milliseconds(1)), SettingCheck.longest) / .milliseconds(1)).rounded(.up)
        )
    }
}
#endif
