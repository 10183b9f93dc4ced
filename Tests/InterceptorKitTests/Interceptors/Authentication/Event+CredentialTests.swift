import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Events of credentials")
struct EventCredentialTests {
    private static let refresh = CredentialState.Operation.Work.refresh(.bearer("old"))
    private static let held = CredentialState.Cached(credential: .bearer("new"), version: 2)

    /// The events of one turn of the source, as lines.
    private func events(
        _ completion: CredentialState.Completion?,
        _ work: CredentialState.Operation.Work
    ) -> [String] {
        let sink = RecordingEventSink()
        let operation = CredentialState.Operation(
            id: 2,
            work: work,
            epoch: 0,
            basis: 1,
            began: .start
        )
        Call(events: sink).report(completion, of: operation)
        return sink.events.map { event in
            let attributes = event.attributes.map { "\($0.key)=\($0.value)" }
            return ([event.name.description] + attributes).joined(separator: " ")
        }
    }

    @Test("say what a refresh came to")
    func outcomes() {
        let rows: [(CredentialState.Completion.Change, String)] = [
            (.replaced, "done"), (.kept, "none"), (.failed, "failed"),
        ]
        for (change, outcome) in rows {
            let completion = CredentialState.Completion(result: .success(Self.held), change: change)

            let found = events(completion, Self.refresh)

            expectEqual(found, ["credential.refresh_ended outcome=\(outcome)"])
        }
    }

    @Test("say nothing of a load that went well")
    func load() {
        let completion = CredentialState.Completion(result: .success(Self.held), change: .replaced)

        expectEqual(events(completion, .load), [])
    }

    @Test("say once that nobody wants a late result")
    func late() {
        expectEqual(events(nil, Self.refresh), ["credential.refresh_discarded"])
    }

    @Test("name the error that ends a session, and no other")
    func ended() {
        let failed = CredentialState.Completion(
            result: .failure(TokenError(.signInRequired, "s3cret")),
            change: .sessionEnded
        )
        let missing = CredentialState.Completion(
            result: .failure(TokenError.missingCredential),
            change: .failed
        )
        let late = CredentialState.Completion(
            result: .failure(TokenError.refreshTimedOut),
            change: .failed
        )

        expectEqual(
            events(failed, Self.refresh),
            [
                "credential.refresh_ended outcome=failed",
                "credential.session_ended error.type=TokenError",
            ]
        )
        expectEqual(events(missing, .load), [])
        expectEqual(events(late, .load), [])
    }
}
