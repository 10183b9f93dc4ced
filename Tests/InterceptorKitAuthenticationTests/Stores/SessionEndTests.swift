import Expectations
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("The end of a session")
struct SessionEndTests {
    /// What a token endpoint does, and whether that ends a session.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: ScriptStep<HTTP.Request>
        let isEnd: Bool

        init(_ name: String, _ reply: ScriptStep<HTTP.Request>, isEnd: Bool = false) {
            testDescription = name
            self.reply = reply
            self.isEnd = isEnd
        }
    }

    @Test(
        "is what a token service says, and neither a time limit nor a fault",
        arguments: [
            Case("invalid", .json(#"{"error":"invalid_grant"}"#, status: 400), isEnd: true),
            Case("invalid, 200", .json(#"{"error":"bad_refresh_token"}"#), isEnd: true),
            Case("client", .json(#"{"error":"invalid_client"}"#, status: 401)),
            Case("unreadable", .json("<html>", status: 400)), Case("no token", .json("{}")),
            Case("500", .status(500)), Case("503", .status(503)),
            Case("late", .fail(TransportError(.timedOut, "Late."))),
            Case("limit", .fail(TokenError(.refreshTimedOut, "Late."))),
            Case("lost", .fail(TransportError(.connectionLost, "Lost."))),
            Case("unreachable", .fail(TransportError(.cannotConnect, "Cut.", isUnsent: true))),
        ]
    )
    func rule(of given: Case) async throws {
        for isStored in [false, true] {
            let found = try await onEverySeed(0..<5) { simulation in
                let runtime = simulation.runtime
                let old = Credential.bearer("a0", refreshToken: "r0")
                let tokens = RefreshTokenSource(
                    at: try endpoint(ScriptedTransport(replies: [given.reply]), runtime: runtime),
                    initial: { old }
                )
                let cache =
                    isStored
                    ? CredentialCache(
                        source: StoredCredentialSource(
                            in: MemoryCredentialStore(old, runtime: runtime),
                            refreshedBy: tokens,
                            runtime: runtime
                        )
                    ) : CredentialCache(source: tokens)
                let events = RecordingEventSink()
                var found: [Bool] = []
                do {
                    try await cache.refresh(runtime: runtime, events: events)
                } catch {
                    let origin = (error as? CredentialStoreError)?.cause ?? error
                    for error in [error, origin] {
                        found.append((error as? any SessionEndingError)?.endsSession ?? false)
                    }
                }
                return found + [events.names.contains(.sessionEnded)]
            }

            expectEqual(found, Array(repeating: given.isEnd, count: 3))
        }
    }
}
