#if Redis
import InterceptorKit

/// The names of a store's keys: a prefix, and a digest of the client's part.
///
/// Every name therefore has the same length, reveals no id, and cannot be made to equal another.
struct RedisKeys: Sendable {
    let prefix: String

    init(prefix: String, _ kind: String) { self.prefix = "\(prefix):\(kind):" }

    func named(_ name: String) -> String { prefix + name }

    func digest(of parts: String...) -> String {
        var hash = RunningHash(.sha256)
        for part in parts {
            // The length comes first, so that no two lists of parts give the same text.
            hash.update("\(part.utf8.count):".utf8)
            hash.update(part.utf8)
        }
        return prefix + hash.finalize().hexadecimal
    }
}

extension Duration {
    /// The whole milliseconds, rounded up, from one to a century.
    var wholeMilliseconds: Int64 {
        Int64(
            (min(max(self, .milliseconds(1)), SettingCheck.longest) / .milliseconds(1)).rounded(.up)
        )
    }
}
#endif
