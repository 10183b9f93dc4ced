#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One passage of a request and what came of it, as whoever watches it saw it.
struct Exchange: Sendable {
    /// What came of a request.
    enum Outcome: Sendable {
        case response(HTTP.Response)
        case failure(any Error)
    }

    let request: HTTP.Request
    let call: Call
    let date: Date
    let began: Runtime.Instant
    /// When the response's head was there, or the failure.
    let answered: Runtime.Instant
    let outcome: Outcome
}

/// As much of a response's body as was read, or kept.
struct SeenBody: Sendable {
    /// The first bytes of it.
    var beginning = Data()
    /// How many there were, kept or not.
    var count = 0
    var ending = Event.Ending.abandoned
    /// Why it broke off.
    var failure: (any Error)?

    /// All of it; `nil` if it was not read to its end, or is longer than what is kept.
    var whole: Data? { ending == .completed && beginning.count == count ? beginning : nil }
}
