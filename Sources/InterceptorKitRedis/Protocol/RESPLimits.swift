#if Redis
/// How much of a reply is read.
struct RESPLimits: Sendable {
    /// The bytes of a reply.
    var size = 16 << 20
    /// The bytes of a line: a number, a simple string, an error.
    var line = 16 << 10
    /// The values of a reply in all.
    var values = 4096
    /// The lists within each other.
    var depth = 8
}

/// A reply that breaks a rule of RESP3 or a limit. Nothing after it can be read.
struct RESPSyntaxError: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
#endif
