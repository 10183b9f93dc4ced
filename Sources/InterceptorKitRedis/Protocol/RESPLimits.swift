#if Redis
/// The limits of a reply.
struct RESPLimits: Sendable {
    /// The largest number of bytes of a reply.
    var size = 16 << 20
    /// The largest number of bytes of a line: a number, a simple string, an error.
    var line = 16 << 10
    /// The largest number of values of a reply in total.
    var values = 4096
    /// The deepest nesting of lists.
    var depth = 8
}

/// A reply that violates RESP3 or a limit. Nothing after it can be read.
struct RESPSyntaxError: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
#endif
