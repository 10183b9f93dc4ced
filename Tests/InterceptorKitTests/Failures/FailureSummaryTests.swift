import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("FailureSummary")
struct FailureSummaryTests {
    @Test("describes each error to a person, and whether a retry can help")
    func kinds() throws {
        let hidden = "s3cret"
        let judging = ErrorFilterInterceptor(
            envelope: ResponseEnvelope(),
            classifier: .standard.reading(ResponseEnvelope(), transient: [7])
        )
        let rows: [(any Error, FailureSummary.Kind, isRetryable: Bool)] = [
            (TransportError(.nameNotResolved, hidden), .offline, true),
            (TransportError(.cannotConnect, hidden), .offline, true),
            (TransportError(.connectionLost, hidden), .offline, true),
            (TransportError(.timedOut, hidden), .timedOut, true),
            (TimeoutError(.total, limit: .seconds(1)), .timedOut, true),
            (TransportError(.tls, hidden), .insecure, false),
            (TransportError(.protocolViolation, hidden), .unexpectedAnswer, false),
            (try failure(.status(429, headers: ["Retry-After": "7"])), .busy, true),
            (try failure(.status(503)), .serverFault, true),
            (try failure(.status(500)), .serverFault, true),
            (try failure(.status(401)), .expiredSession, false),
            (TokenError(.signInRequired, hidden), .expiredSession, false),
            (try failure(.status(404)), .refused, false),
            (try failure(.json(#"{"code":7}"#), ResponseEnvelope()), .refused, false),
            (try failure(.json(#"{"code":7}"#), judging), .busy, true),
            (HTTP.RequestError(.invalidURL, hidden), .refused, false),
            (CancellationError(), .cancelled, true),
            (Problem(text: hidden), .unknown, true),
            (Own(classification: .transient(hidden)), .busy, true),
            (
                Own(classification: Classification(.unauthorized, reason: "")), .expiredSession,
                false
            ),
        ]

        for (error, kind, isRetryable) in rows {
            let summary = FailureSummary(error)

            #expect(summary.kind == kind, "\(error)")
            #expect(summary.isRetryable == isRetryable, "\(error)")
            #expect(!"\(summary)".contains(hidden))
        }
    }

    @Test("says how long to wait if the service said so")
    func wait() throws {
        let busy = FailureSummary(try failure(.status(429, headers: ["Retry-After": "7"])))

        #expect(busy.retryAfter == .seconds(7))
        #expect(FailureSummary(Problem()).retryAfter == nil)
    }

    @Test("has its own sentences and localisation keys for each kind")
    func texts() {
        let kinds = FailureSummary.Kind.allCases
        let offline = FailureSummary(TransportError(.cannotConnect, "No."))

        #expect(Set(kinds.map(\.description)).count == kinds.count)
        #expect(offline.title == "The service cannot be reached.")
        #expect(offline.advice == "Check your connection to the internet and try again.")
        #expect(offline.titleKey == "failure.offline.title")
        #expect(offline.adviceKey == "failure.offline.advice")
    }
}

private struct Own: ClassifiedError {
    let classification: Classification
}
