import Expectations
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

        await expectEqual(judged(.success(0)), .success)
        await expectEqual(judged(.failure(CancellationError())), .permanent("cancelled"))
        await expectEqual(judged(.failure(known)), known.classification)
        await expectEqual(judged(.failure(Refusal(secret: "s3cret"))), .transient("Refusal"))
    }

    @Test("asks another first, also for what it would recognise at first sight")
    func preceded() async {
        let classifier = OutcomeClassifier<Int>.standard.preceded { outcome in
            guard case .success(13) = outcome.result else { return nil }
            return .transient("unlucky")
        }

        expectTrue(OutcomeClassifier<Int>.standard.recognises(13, of: Call()))
        expectTrue(!classifier.recognises(13, of: Call()))
        await expectEqual(judged(.success(13), by: classifier), .transient("unlucky"))
        await expectEqual(judged(.success(12), by: classifier), .success)
    }

    @Test("inherits the classifier of the call, and falls back without one")
    func inherited() async {
        let own = OutcomeClassifier<Int>(recognising: { $0 == 7 }) { _ in .transient("own") }
        let call = Call().withValue(own, for: OutcomeClassifier<Int>.self)
        let inherited = OutcomeClassifier<Int>.inherited
        func judged(_ call: Call) async -> Classification {
            await inherited.classify(Outcome(input: 1, result: .success(2), call: call))
        }

        await expectEqual(judged(call), .transient("own"))
        await expectEqual(judged(Call()), .success)
        expectTrue(inherited.recognises(7, of: call))
        expectTrue(!inherited.recognises(2, of: call))
        expectTrue(inherited.recognises(2, of: Call()))
    }

    @Test("falls back where the call's classifier builds on the inherited one")
    func inheritedFromItself() async {
        let inherited = OutcomeClassifier<Int>.inherited
        let own = inherited.preceded { $0.output == 13 ? .transient("unlucky") : nil }
        let call = Call().withValue(own, for: OutcomeClassifier<Int>.self)
        func judged(_ output: Int) async -> Classification {
            await inherited.classify(Outcome(input: 1, result: .success(output), call: call))
        }

        await expectEqual(judged(13), .transient("unlucky"))
        await expectEqual(judged(12), .success)
        expectTrue(!inherited.recognises(12, of: call))
    }

    @Test("says nothing about an error that a cancelled task sees")
    func cancelled() async {
        let task = Task {
            let chain = InterceptorChain<Int>(input: 1, transport: Echo<Int>())
            let before = await OutcomeClassifier<Int>.standard.classify(Problem(), of: chain)
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return [before, await OutcomeClassifier<Int>.standard.classify(Problem(), of: chain)]
        }

        await expectEqual(task.value, [.transient("Problem"), nil])
    }
}
