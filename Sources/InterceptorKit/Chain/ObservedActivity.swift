/// A passage reported as an activity, with what went in and what came of it.
struct ObservedActivity<Input: Interceptable> {
    private let kind: Event.Activity.Kind
    private let name: String
    private let makesAttempts: Bool

    init(_ kind: Event.Activity.Kind, _ name: String, makesAttempts: Bool = false) {
        self.kind = kind
        self.name = name
        self.makesAttempts = makesAttempts
    }

    nonisolated(nonsending) func pass(
        _ chain: InterceptorChain<Input>,
        closely: Bool = false,
        _ work: nonisolated(nonsending) (InterceptorChain<Input>) async throws -> Input.Output
    ) async throws -> Input.Output {
        let outer = chain.call
        let (activity, call) = outer.begin(
            kind,
            name,
            from: name,
            makesAttempts: makesAttempts,
            beginning(chain, closely)
        )
        do {
            let output = try await work(chain.with(call: call))
            outer.end(activity, .completed, from: name, end(output, outer, closely))
            return output
        } catch {
            outer.end(activity, Event.Ending(of: error), from: name, outer.attributes(of: error))
            throw error
        }
    }

    private func beginning(
        _ chain: InterceptorChain<Input>,
        _ closely: Bool
    ) -> [String: Event.Value] {
        guard kind == .call || closely, let input = chain.input as? any Summarizable else {
            return [:]
        }
        var attributes = closely ? input.attributes(on: chain.call) : [:]
        attributes["input"] = .text(input.summary)
        return attributes
    }

    private func end(
        _ output: Input.Output,
        _ call: Call,
        _ closely: Bool
    ) -> [String: Event.Value] {
        guard let output = output as? any Summarizable else { return [:] }
        var attributes = closely ? output.attributes(on: call) : [:]
        attributes["output"] = .text(output.summary)
        return attributes
    }
}
