#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// What a state is asked, and what it answers.
extension CredentialState {
    /// A credential, or the lack of one, and which it is in the order they came.
    struct Cached: Sendable {
        var credential: Credential?
        var version: Int
        var margins: RefreshMargins?

        /// Whether there is one that has not expired.
        func isAccepted(at date: Date) -> Bool { !(credential?.hasExpired(at: date) ?? true) }
    }

    /// What a call needs.
    enum Requirement: Sendable, Equatable {
        /// Whatever there is, once something was loaded.
        case any
        /// One to send a request with.
        case usable
        /// One that is accepted, as far as known: another is asked for in place of none, or of one that expired.
        case accepted
        /// Another one than this version, which was rejected.
        case newer(than: Int)
        /// One that a refresh gets which begins after this requirement.
        case fresh
    }

    /// One turn of the source.
    struct Operation: Sendable {
        enum Work: Sendable {
            case load
            case refresh(Credential?)
        }

        let id: Int
        let work: Work
        let epoch: Int
        /// The version that it is to replace.
        let basis: Int
        let began: Runtime.Instant

        var isRefresh: Bool { if case .refresh = work { true } else { false } }
    }

    /// What to do about a requirement.
    enum Action {
        case use(Cached)
        case refuse(any Error)
        /// Wait for the end of this operation or of a later one.
        case wait(operation: Int)
        /// Begin this operation, and wait for it.
        case begin(Operation)
    }

    /// What an operation came to.
    struct Completion {
        enum Change { case replaced, kept, failed, sessionEnded }

        /// The result for all that wait for the operation, or for an earlier one.
        var result: Result<Cached, any Error>
        var change: Change
        /// For tasks that wait for the next operation: that operation, or the error that prevents it. `nil`
        /// if none waits.
        var next: Result<Operation, any Error>?
    }
}
