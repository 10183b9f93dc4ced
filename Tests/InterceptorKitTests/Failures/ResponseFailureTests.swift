import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCore

@Suite("HTTP.Response(answering:)")
struct ResponseFailureTests {
    private static let secret = "10.0.0.7:5432"

    private static let rows: [(any Error & Sendable, HTTP.Status?, HTTP.Status?)] = [
        (LimitError(.rate, secret, retryAfter: .milliseconds(1200), secret), 429, 503),
        (LimitError(.tooManyCalls, secret, secret), 503, 503),
        (LimitError(.waitedTooLong, secret, secret), 503, 503),
        (LimitError(.tooManyCalls, secret, secret), 503, 503),
        (CircuitBreakerError.open(secret, retryAfter: .seconds(7), cause: secret), 503, 503),
        (TimeoutError(.total, limit: .seconds(1)), 504, 504),
        (TimeoutError(.attempt, limit: .seconds(1)), 504, 504),
        (TransportError(.timedOut, secret), 504, 504),
        (TransportError(.cannotConnect, secret), 502, 502),
        (HTTP.ContentError.tooLarge(limit: 1), 413, nil),
        (HTTP.ContentError.alreadyRead, nil, nil),
        (StoreProblem(.transient), 503, 503),
        (StoreProblem(.throttled), 503, 503),
        (StoreProblem(.rejected), 503, 503),
        (StoreProblem(.permanent), nil, nil),
        (CancellationError(), nil, nil),
        (PipelineProblem(), nil, nil),
    ]

    @Test("has a status for each error of a chain, and none for defects", arguments: rows.indices)
    func statuses(row: Int) {
        let (error, own, another) = Self.rows[row]

        expectEqual(HTTP.Response(answering: error)?.status, own)
        expectEqual(HTTP.Response(answering: error, ofAnotherService: true)?.status, another)
    }

    @Test("contains no internal detail of the error", arguments: rows.indices)
    func nothingLeaks(row: Int) async throws {
        guard let response = HTTP.Response(answering: Self.rows[row].0) else { return }

        let text = try await response.text()

        expectTrue(!text.contains(Self.secret))
        expectTrue(!"\(response.headers)".contains(Self.secret))
        let problem = try await response.decode(ProblemMembers.self)
        expectEqual(problem.status, response.status.code)
        expectEqual(problem.title, response.status.reasonPhrase)
    }

    @Test(
        "sends Retry-After in whole seconds, rounded up",
        arguments: [
            (Duration.zero, "1"), (.milliseconds(1), "1"), (.seconds(1), "1"),
            (.milliseconds(1001), "2"), (.seconds(-5), "1"), (.seconds(Int64.max), "3153600000"),
        ]
    )
    func retryAfter(wait: Duration, text: String) {
        let error = LimitError(.rate, nil, retryAfter: wait, "")

        expectEqual(HTTP.Response(answering: error)?.headers["Retry-After"], text)
    }

    @Test("sends no Retry-After if the wait is unknown or for other statuses")
    func noRetryAfter() {
        let limit = LimitError(.tooManyCalls, nil, "")
        let timeout = TimeoutError(.total, limit: .seconds(1))

        expectEqual(HTTP.Response(answering: limit)?.headers["Retry-After"], nil)
        expectEqual(HTTP.Response(answering: timeout)?.headers["Retry-After"], nil)
    }

    @Test(
        "passes on that another service is overloaded, and its Retry-After",
        arguments: [429, 503]
    )
    func overload(status: Int) async throws {
        let text = #"{"title":"\#(Self.secret)"}"#
        let fields: HTTP.Headers = [
            "Content-Type": "application/problem+json", "Retry-After": "7", "Server": Self.secret,
        ]
        let busy = try failure(.json(text, status: HTTP.Status(status), headers: fields))

        let response = try unwrap(HTTP.Response(answering: busy))
        let unknown = HTTP.Response(answering: try failure(.status(HTTP.Status(status))))
        let hidden = HTTP.Response(answering: busy, passesOverload: false)

        expectEqual(response.status, 503)
        expectEqual(response.headers["Retry-After"], "7")
        expectEqual(response.headers.count, 2)
        let shown = try await response.text()
        expectTrue(!shown.contains(Self.secret))
        expectEqual(unknown?.status, 503)
        expectEqual(unknown?.headers["Retry-After"], nil)
        expectEqual(hidden?.status, 502)
        expectEqual(hidden?.headers["Retry-After"], nil)
    }
}

private struct ProblemMembers: Decodable {
    var status: Int
    var title: String
}

private struct PipelineProblem: Error {}

private struct StoreProblem: ClassifiedError {
    let classification: Classification

    init(_ kind: Classification.Kind) {
        classification = Classification(kind, reason: "10.0.0.7:5432")
    }
}
