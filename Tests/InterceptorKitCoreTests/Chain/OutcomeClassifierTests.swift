import InterceptorKit
import TestSupport
import Testing

@testable import InterceptorKitCore

@Suite("OutcomeClassifier")
struct OutcomeClassifierTests {
    private struct Refusal<Secret: Sendable>: Error { let secret: Secret }

    private func judged(
        _ result: Result<Int, any Error>,
        by classifier: OutcomeClassifier<Int> = .standard
    ) async -> Classification {
        await classifier.classify(Outcome(input: 1, result: result, call: Call()))
    }

    @Test("judges by error alone, by default, and names an error by its type")
    func standard() async {
        let known = TransportError(.tls, "Untrusted.")

        #expect(await judged(.success(0)) == .success)
        #expect(await judged(.failure(CancellationError())) == .permanent("cancelled"))
        #expect(await judged(.failure(known)) == known.classification)
        #expect(await judged(.failure(Refusal(secret: "s3cret"))) == .transient("Refusal"))
    }

    @Test("asks another first, also for what it would recognise at first sight")
    func preceded() async {
        let classifier = OutcomeClassifier<Int>.standard.preceded { outcome in
            guard case .success(13) = outcome.result else { return nil }
            return .transient("unlucky")
        }

        #expect(OutcomeClassifier<Int>.standard.recognises(13))
        #expect(!classifier.recognises(13))
        #expect(await judged(.success(13), by: classifier) == .transient("unlucky"))
        #expect(await judged(.success(12), by: classifier) == .success)
    }

    @Test("says nothing about an error that a cancelled task sees")
    func cancelled() async {
        let task = Task {
            let chain = InterceptorChain<Int>(input: 1, transport: Echo<Int>())
            let before = await OutcomeClassifier<Int>.standard.classify(Problem(), of: chain)
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return [before, await OutcomeClassifier<Int>.standard.classify(Problem(), of: chain)]
        }

        #expect(await task.value == [.transient("Problem"), nil])
    }
}
