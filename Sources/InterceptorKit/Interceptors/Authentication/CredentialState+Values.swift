#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The questions that a state answers, and its answers.
extension CredentialState {
    /// A credential, or the lack of one, with its version: its place in the order of arrival.
    struct Cached: Sendable {
        var credential: Credential?
        var version: Int
        var margins: RefreshMargins?

        /// Whether there is a credential that has not expired.
        func isAccepted(at date: Date) -> Bool { !(credential?.hasExpired(at: date) ?? true) }
    }

    /// The credential that a call needs.
    enum Requirement: Sendable, Equatable {
        /// Any result of a load, also the lack of a credential.
        case any
        /// A credential to send a request with.
        case usable
        /// A credential that has not expired. If there is none, or only an expired one, the source is asked.
        case accepted
        /// Another credential than the rejected one with this version.
        case newer(than: Int)
        /// A credential from a refresh that begins after this requirement.
        case fresh
    }

    /// One call of the source.
    struct Operation: Sendable {
        enum Work: Sendable {
            case load
            case refresh(Credential?)
        }

        let id: Int
        let work: Work
        let epoch: Int
        /// The version to replace.
        let basis: Int
        let began: Runtime.Instant

        var isRefresh: Bool { if case .refresh = work { true } else { false } }
    }

    /// The way to meet a requirement.
    enum Action {
        case use(Cached)
        case refuse(any Error)
        /// Wait for the end of this operation or of a later one.
        case wait(operation: Int)
        /// Begin this operation, and wait for it.
        case begin(Operation)
    }

    /// The result of an operation, with its consequences.
    struct Completion {
        enum Change { case replaced, kept, failed, sessionEnded }

        /// The result for all calls that wait for this operation or an earlier one.
        var result: Result<Cached, any Error>
        var change: Change
        /// The next operation, for calls that wait for it, or the error that prevents it; `nil` if no call waits.
        var next: Result<Operation, any Error>?
    }
}
