import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("OutcomeClassifier.standard for HTTP")
struct HTTPClassifierTests {
    private let classifier = OutcomeClassifier<HTTP.Request>.standard

    private func classified(
        _ result: Result<HTTP.Response, any Error>,
        of request: HTTP.Request = .get(orders),
        attempt: Int = 1
    ) async -> Classification {
        await classifier.classify(
            Outcome(input: request, result: result, call: Call().withAttempt(attempt))
        )
    }

    @Test(
        "judges a status, with Retry-After and without",
        arguments: [
            (200, .success, .success), (304, .success, .success), (399, .success, .success),
            (400, .permanent, .permanent), (401, .unauthorized, .unauthorized),
            (403, .permanent, .permanent), (408, .transient, .transient),
            (409, .permanent, .permanent), (413, .permanent, .transient),
            (425, .transient, .transient), (429, .throttled, .throttled),
            (500, .transient, .transient), (501, .permanent, .permanent),
            (502, .transient, .transient), (503, .transient, .throttled),
            (504, .transient, .transient), (505, .permanent, .permanent),
        ] as [(Int, Classification.Kind, Classification.Kind)]
    )
    func statuses(code: Int, plain: Classification.Kind, waiting: Classification.Kind) async {
        let status = HTTP.Status(code)

        let without = await classified(.success(HTTP.Response(status)))
        let with = await classified(.success(HTTP.Response(status, headers: ["Retry-After": "7"])))

        expectEqual(without.kind, plain)
        expectEqual(with.kind, waiting)
        expectEqual(with.retryAfter, (code < 400 ? nil : .seconds(7)))
        expectEqual(classifier.recognises(HTTP.Response(status), of: Call()), (code < 400))
    }

    @Test("retries a 409 to a named operation, and a 425 once")
    func conditions() async {
        let named = HTTP.Request.post(orders, headers: ["Idempotency-Key": "\"k\""])

        await expectEqual(classified(.success(HTTP.Response(409)), of: named).kind, .transient)
        await expectEqual(classified(.success(HTTP.Response(425)), attempt: 2).kind, .permanent)
    }

    @Test("lets errors speak for themselves, and takes others as permanent")
    func errors() async {
        let lost = TransportError(.connectionLost, "It broke.")

        await expectEqual(classified(.failure(lost)), lost.classification)
        await expectEqual(classified(.failure(CancellationError())), .permanent("cancelled"))
        await expectEqual(classified(.failure(Problem(text: "s3cret"))), .permanent("Problem"))
    }
}
