#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One pass of a request and its outcome, as an observer saw it.
struct Exchange: Sendable {
    /// The outcome of a request.
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
