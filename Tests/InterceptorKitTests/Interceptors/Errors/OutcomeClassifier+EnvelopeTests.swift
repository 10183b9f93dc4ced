import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("OutcomeClassifier, reading an envelope")
struct OutcomeClassifierEnvelopeTests {
    private static let json: HTTP.Headers = ["Content-Type": "application/json"]
    private static let classifier = OutcomeClassifier<HTTP.Request>.standard
        .reading(
            HTTP.ResponseEnvelope(unauthorized: [1], transient: [2], throttled: [1, 3]),
            upTo: 20
        )

    private func classify(_ response: HTTP.Response) async -> Classification {
        let outcome = Outcome<HTTP.Request>(
            input: .get(orders),
            result: .success(response),
            call: Call()
        )
        return await Self.classifier.classify(outcome)
    }

    @Test(
        "reads codes up to its limit, and leaves everything else to the status",
        arguments: [
            (200, #"{"code":1}"#, .unauthorized), (503, #"{"code":1}"#, .unauthorized),
            (200, #"{"code":3}"#, .throttled), (404, #"{"code":2}"#, .transient),
            (200, #"{"code":7}"#, .permanent), (503, #"{"code":7}"#, .transient),
            (200, #"{"code":0}"#, .success), (200, #"{"code":1          }"#, .unauthorized),
            (200, #"{"code":1           }"#, .success), (200, #"{"code":1"#, .success),
        ] as [(Int, String, Classification.Kind)]
    )
    func codes(status: Int, text: String, kind: Classification.Kind) async {
        let known = HTTP.Response(HTTP.Status(status), headers: Self.json, body: .text(text))
        let plain = HTTP.Response(HTTP.Status(status), body: .text(text))
        let byStatus: Classification.Kind =
            status == 200 ? .success : status == 503 ? .transient : .permanent

        await expectEqual(classify(known).kind, kind)
        await expectEqual(classify(plain).kind, byStatus)
    }

    @Test("counts a broken body as transient only where the status is a success")
    func broken() async {
        func response(_ status: HTTP.Status) -> HTTP.Response {
            let body = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Problem()) }
            return HTTP.Response(status, headers: Self.json, body: .oneShot(body))
        }

        await expectEqual(classify(response(200)), .transient("body: connectionLost"))
        await expectEqual(classify(response(404)).kind, .permanent)
    }

    @Test("classifies its errors by the codes of its envelope")
    func classification() throws {
        let filter = ErrorFilterInterceptor(
            envelope: HTTP.ResponseEnvelope(
                unauthorized: [4001],
                transient: [5001],
                throttled: [5002]
            )
        )
        func found(_ step: ScriptStep<HTTP.Request>) throws -> Classification {
            try failure(step, filter).classification
        }
        let busy = HTTP.Headers([("Retry-After", "7")])

        try expectEqual(found(.json(#"{"code":4001}"#)).kind, .unauthorized)
        try expectEqual(found(.json(#"{"code":5001}"#)).kind, .transient)
        try expectEqual(found(.json(#"{"code":5002}"#, headers: busy)).retryAfter, .seconds(7))
        try expectEqual(found(.json(#"{"code":1}"#)), .permanent("code 1"))
        try expectEqual(found(.status(503)), .transient("503 Service Unavailable"))
        try expectEqual(found(.status(301)), .permanent("301 Moved Permanently"))
    }

    @Test("lets a retry judge late or broken bodies of a 200, on each attempt")
    func classifier() throws {
        let envelope = HTTP.ResponseEnvelope(transient: [5001])
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.classifier = .standard.reading(envelope)
        let lost = TransportError(.connectionLost, "The connection was lost.")
        let recorder = Recorder<String>()

        let text = try Simulation.run { [policy] simulation in
            let runtime = simulation.runtime
            func step(_ stream: DrippingStream) -> ScriptStep<HTTP.Request> {
                .status(
                    200,
                    headers: ["Content-Type": "application/json"],
                    body: .oneShot(stream)
                )
            }
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [
                    step(DrippingStream(runtime, every: .zero, breaking: (2, lost))),
                    step(DrippingStream(runtime)), .json(#"{"code":0}"#),
                ]
            )
            let client = try simulation.client(transport) {
                ErrorFilterInterceptor(envelope: envelope)
                RetryInterceptor(policy: policy)
            }
            let response = try await client.send(.get(orders))
            for attempt in response.attempts { recorder.note(attempt.reason) }
            return try await response.text()
        }

        expectEqual(text, #"{"code":0}"#)
        expectEqual(recorder.entries, ["body: connectionLost", "body: timedOut", "success"])
    }
}
