/// A named stage of the standard order, outermost first.
///
/// The order is that of a call on its way down: what must see everything stands outside, what
/// repeats stands above what must happen anew each time, and what signs stands last.
/// Building a ``Pipeline`` compares the placements of its interceptors and refuses an order that
/// would misbehave.
public struct Placement: Sendable, Hashable {
    let name: String
    // Where in the order: one rank, or a range for what may stand anywhere within it.
    let ranks: ClosedRange<Int>
    // Sends more than once; two of these in one chain would multiply.
    var repeats = false

    /// One span and one log record for a call, rejections included.
    public static let callTelemetry = Placement(name: "call telemetry", ranks: 1...1)
    /// Takes over the deadline of whoever waits for the call; anywhere above what bounds it.
    public static let callerDeadline = Placement(name: "caller's deadline", ranks: 0...2)
    /// Turns the final outcome into the caller's own.
    public static let errorFilter = Placement(name: "error filter", ranks: 2...2)
    /// Answers in place of a failure.
    public static let fallback = Placement(name: "fallback", ranks: 2...2)
    /// Refuses responses that are not what was asked for; anywhere below an error filter and above what
    /// repeats.
    public static let responseValidation = Placement(name: "response validation", ranks: 3...8)
    /// Bounds the whole call, waiting included.
    public static let totalTimeout = Placement(name: "total timeout", ranks: 3...3)
    /// One permit for a logical call.
    public static let concurrencyLimit = Placement(name: "concurrency limit", ranks: 4...4)
    /// One key for a logical call, before anything repeats.
    public static let idempotencyKey = Placement(name: "idempotency key", ranks: 5...5)
    /// Completes a request (base URL, common fields); anywhere above what looks at its target.
    public static let requestShaping = Placement(name: "request shaping", ranks: 0...5)
    /// Shares one send among identical calls.
    public static let coalescing = Placement(name: "coalescing", ranks: 6...6)
    /// Follows redirects; each hop passes everything below.
    public static let redirect = Placement(name: "redirect", ranks: 7...7)
    /// Answers from stored responses.
    public static let cache = Placement(name: "cache", ranks: 8...8)
    /// Repeats failed attempts.
    public static let retry = Placement(name: "retry", ranks: 9...9, repeats: true)
    /// Races a late attempt with another.
    public static let hedge = Placement(name: "hedge", ranks: 9...9, repeats: true)
    /// Attaches the newest credential to each attempt.
    public static let token = Placement(name: "token", ranks: 10...10)
    /// Sends and keeps cookies; anywhere below what repeats and above what signs.
    public static let cookies = Placement(name: "cookies", ranks: 11...15)
    /// Rejects attempts to an authority that keeps failing.
    public static let circuitBreaker = Placement(name: "circuit breaker", ranks: 11...11)
    /// Spaces attempts out.
    public static let rateLimit = Placement(name: "rate limit", ranks: 12...12)
    /// Bounds one attempt.
    public static let attemptTimeout = Placement(name: "attempt timeout", ranks: 13...13)
    /// One span for a physical send.
    public static let attemptTelemetry = Placement(name: "attempt telemetry", ranks: 14...14)
    /// Encodes and digests the body as it will be sent.
    public static let compression = Placement(name: "compression", ranks: 15...15)
    /// Signs: the last to change a request.
    public static let signing = Placement(name: "signing", ranks: 16...16)
    /// Stands in for the network's faults.
    public static let chaos = Placement(name: "chaos", ranks: 17...17)

    func mustBeInside(_ other: Placement) -> Bool {
        ranks.lowerBound > other.ranks.upperBound
    }

    // From here down a request is as it will be sent, so call-level additions stay above.
    var sealsRequest: Bool { !(ranks.lowerBound < Placement.compression.ranks.lowerBound) }
}

extension Placement: CustomStringConvertible {
    /// The stage's name.
    public var description: String { name }
}
