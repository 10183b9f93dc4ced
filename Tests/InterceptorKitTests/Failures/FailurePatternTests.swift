import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("FailurePattern")
struct FailurePatternTests {
    @Test("distinguishes responses by status, media type, problem and code")
    func responses() throws {
        let envelope = HTTP.ResponseEnvelope()
        let missing = try failure(.status(404), envelope)
        let html = try failure(.status(502, headers: ["Content-Type": "Text/HTML; a=b"]), envelope)
        let problem = try failure(
            .json(
                #"{"type":"https://example.com/out-of-credit"}"#,
                status: 403,
                headers: ["Content-Type": "application/problem+json"]
            ),
            envelope
        )
        let business = try failure(.json(#"{"code":1001}"#), envelope)
        let all = [missing, html, problem, business]

        func matching(_ pattern: FailurePattern) -> [Bool] { all.map(pattern.matches) }
        expectEqual(matching(.status(404, 410)), [true, false, false, false])
        expectEqual(matching(.status(in: 400...499)), [true, false, true, false])
        expectEqual(matching(.mediaType("text/html")), [false, true, false, false])
        expectEqual(matching(.serverFault), [false, true, false, false])
        expectEqual(
            matching(.problem("https://example.com/out-of-credit")),
            [false, false, true, false]
        )
        expectEqual(matching(.code(7, "1001")), [false, false, false, true])
        expectEqual(matching(.unexpectedResponse), [false, false, false, false])
        expectEqual(matching(.offline), [false, false, false, false])
    }

    @Test("recognises an expired session by status, code and credential error")
    func sessions() throws {
        let envelope = HTTP.ResponseEnvelope(unauthorized: [4001])
        let filter = ErrorFilterInterceptor(envelope: envelope)
        let errors: [any Error] = [
            try failure(.status(401), envelope),
            try failure(.json(#"{"code":4001}"#), filter),
            TokenError(.signInRequired, "Sign in."), TokenError(.missingCredential, "Sign in."),
            try failure(.json(#"{"code":4002}"#), filter), try failure(.status(403), envelope),
            TokenError(.refreshTimedOut, "Too late."),
            CredentialStoreError.refreshOutcomeUnknown, CredentialStoreError.superseded,
        ]

        let found = errors.map(FailurePattern.expiredSession.matches)

        expectEqual(found, [true, true, true, true, false, false, false, true, false])
    }

    @Test("distinguishes transport failures, and matches in catch clauses")
    func way() {
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let late = TransportError(.timedOut, "Too late.")
        var caught = "nothing"
        do {
            throw lost
        } catch FailurePattern.timedOut {
            caught = "late"
        } catch FailurePattern.offline {
            caught = "offline"
        } catch {
            caught = "\(error)"
        }

        expectEqual(caught, "offline")
        expectTrue(FailurePattern.timedOut.matches(late))
        expectTrue(FailurePattern.timedOut.matches(TimeoutError(.total, limit: .seconds(1))))
        expectTrue(FailurePattern.transport().matches(late))
        expectTrue(FailurePattern.transport(.tls, .timedOut).matches(late))
        expectTrue(!FailurePattern.transport(.tls).matches(late))
        expectTrue(!FailurePattern.transport().matches(Problem()))
        expectTrue(
            FailurePattern.unexpectedResponse.matches(TransportError(.protocolViolation, "No."))
        )
    }

    @Test(
        "matches unexpected response content, but no encoding failures",
        arguments: [
            (HTTP.ContentError.Code.unexpectedMediaType, true), (.emptyBody, true),
            (.cannotEncode, false), (.lengthChanged, false),
        ]
    )
    func content(code: HTTP.ContentError.Code, isUnexpected: Bool) {
        let error = HTTP.ContentError(code, "No.")

        expectEqual(FailurePattern.unexpectedResponse.matches(error), isUnexpected)
    }

    @Test("can be a custom predicate")
    func own() {
        let pattern = FailurePattern { ($0 as? Problem)?.text == "mine" }

        expectTrue(pattern.matches(Problem(text: "mine")))
        expectTrue(!pattern.matches(Problem(text: "yours")))
    }
}

/// The error that a filter makes of a reply.
func failure(
    _ step: ScriptStep<HTTP.Request>,
    _ envelope: HTTP.ResponseEnvelope? = nil
) throws -> ResponseError {
    try failure(step, ErrorFilterInterceptor(envelope: envelope))
}

func failure(
    _ step: ScriptStep<HTTP.Request>,
    _ filter: ErrorFilterInterceptor
) throws -> ResponseError {
    let error = #expect(throws: ResponseError.self) {
        try Simulation.run { simulation in
            let client = try simulation.client(ScriptedTransport(replies: [step])) { filter }
            return try await client.send(.get(orders)).status
        }
    }
    return try unwrap(error)
}
