import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("OutcomeClassifier.health")
struct OutcomeClassifierHTTPHealthTests {
    @Test("judges a response a success exactly if it recognises it", arguments: 100..<600)
    func health(status: Int) async {
        let health = OutcomeClassifier<HTTP.Request>.health
        let response = HTTP.Response(HTTP.Status(status))
        let outcome = Outcome<HTTP.Request>(
            input: .get(orders),
            result: .success(response),
            call: Call()
        )

        let classification = await health.classify(outcome)

        expectEqual((classification.kind == .success), (status < 400))
        expectEqual(health.recognises(response, of: Call()), (status < 400))
    }

    private func classify(
        _ result: Result<HTTP.Response, any Error>
    ) async -> Classification {
        await OutcomeClassifier<HTTP.Request>.health
            .classify(Outcome(input: .get(orders), result: result, call: Call()))
    }

    @Test(
        "blames the server for 5xx but 501, and not for what it refuses",
        arguments: [
            (400, .permanent), (401, .permanent), (408, .permanent), (428, .permanent),
            (429, .throttled), (430, .permanent), (499, .permanent), (500, .transient),
            (501, .permanent), (502, .transient), (503, .transient), (599, .transient),
            (600, .permanent),
        ] as [(Int, Classification.Kind)]
    )
    func statuses(status: Int, kind: Classification.Kind) async {
        let headers: HTTP.Headers = ["Retry-After": "7"]

        let found = await classify(.success(HTTP.Response(HTTP.Status(status), headers: headers)))

        expectEqual(found.kind, kind)
        expectEqual(found.retryAfter, .seconds(7))
    }

    @Test("blames the server for lost connections, not for this side's errors")
    func errors() async {
        let refused = TransportError(.cannotConnect, "No.", isUnsent: true)
        let lost = TransportError(.connectionLost, "Lost.")

        await expectEqual(classify(.failure(refused)).kind, .transient)
        await expectTrue(classify(.failure(refused)).isUnsent)
        await expectEqual(classify(.failure(lost)).kind, .transient)
        await expectTrue(!classify(.failure(lost)).isUnsent)
        await expectEqual(classify(.failure(TransportError(.closed, "Closed."))).kind, .permanent)
        await expectEqual(classify(.failure(TransportError(.unsupported, "No."))).kind, .permanent)
        await expectEqual(classify(.failure(CancellationError())), .permanent("cancelled"))
        await expectEqual(classify(.failure(Problem(text: "s3cret"))), .permanent("Problem"))
        await expectEqual(classify(.failure(Own())), .transient("of its own"))
    }
}

private struct Own: ClassifiedError {
    var classification: Classification { .transient("of its own") }
}
