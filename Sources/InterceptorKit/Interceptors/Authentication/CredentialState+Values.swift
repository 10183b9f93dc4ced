#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The questions that a state answers, and its answers.
extension CredentialState {
    /// A credential, or the lack of one, with its version: its place in the order of arrival.
    // An object, because interceptors keep it across their suspensions.
    final class Cached: Sendable {
        let credential: Credential?
        let version: Int
        let margins: RefreshMargins?
        /// The need that the credential was refreshed for, if there was one.
        let need: CredentialNeed?

        init(
            credential: Credential?,
            version: Int,
            margins: RefreshMargins? = nil,
            need: CredentialNeed? = nil
        ) {
            self.credential = credential
            self.version = version
            self.margins = margins
            self.need = need
        }

        /// Returns this with another form of its credential.
        func with(_ credential: Credential?) -> Cached {
            Cached(credential: credential, version: version, margins: margins, need: need)
        }

        /// Whether there is a credential that has not expired.
        func isAccepted(at date: Date) -> Bool { !(credential?.hasExpired(at: date) ?? true) }

        func meets(_ other: CredentialNeed?) -> Bool {
            other.map { need?.covers($0) ?? false } ?? true
        }
    }

    /// The credential that a call needs.
    enum Requirement: Sendable, Equatable {
        /// Any result of a load, also the lack of a credential.
        case any
        /// A credential to send a request with.
        case usable
        /// A credential that has not expired. If there is none, or only an expired one, the source is asked.
        case accepted
        /// Another credential than the rejected one with this version, and one that meets a need, if there is one.
        case newer(than: Int, for: CredentialNeed? = nil)
        /// A credential from a refresh that begins after this requirement.
        case fresh

        var need: CredentialNeed? { if case .newer(_, let need) = self { need } else { nil } }
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
        /// What the new credential must have; `nil` for any other refresh.
        var need: CredentialNeed?

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

        /// Returns the result for a call that waited for an operation.
        /// - Returns: `nil` if the operation decided nothing about what the call needs, so that it must look again.
        func result(for need: CredentialNeed?, of operation: Operation) -> Result<
            Cached?, any Error
        > {
            let isItsOwn =
                switch (operation.need, need) {
                case (nil, nil): true
                case (let met?, let need?): met.covers(need)
                // A new credential is not the rejected one, whatever it was for.
                case (_?, nil): change == .replaced
                case (nil, _?): false
                }
            return isItsOwn ? result.map(Optional.some) : .success(nil)
        }
    }
}
