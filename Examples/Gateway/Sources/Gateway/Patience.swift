/// How long a call to a service behind may wait for it to come back, and what follows from that.
struct Patience {
    /// For the call with all its attempts.
    let call: Duration
    /// For one attempt.
    var attempt: Duration { call / 2 }
    /// For what callers of the gateway ask, which is answered after the call has failed.
    var caller: Duration { call + .seconds(1) }
    /// At two a second; the breaker and the budget allow fewer where many wait.
    var attempts: Int { max(2, Int(2 * (call / .seconds(1)))) }
    /// How many resends a call earns for all.
    var resends: Double { call / .seconds(4) }
    /// How many calls may be under way: what comes in all that time at 50 a second.
    var limit: Int { Int(50 * (call / .seconds(1))) }
}
