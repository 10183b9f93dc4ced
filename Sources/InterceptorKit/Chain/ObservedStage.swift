/// Reports each passage of a stage.
///
/// Pipelines with an event sink wrap their stages in it; those without pay nothing.
struct ObservedStage<Input: Interceptable>: Interceptor {
    private let base: any Interceptor<Input>
    private let name: String

    init(_ base: any Interceptor<Input>) {
        self.base = base
        name =
            (base as? TransportStage<Input>).map { displayName(of: $0.transport) }
            ?? displayName(of: base)
    }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        // A condition is not a stop on the way; only what it lets through is shown.
        if base is ConditionStage<Input> { return try await base.intercept(chain: chain) }
        let call = chain.call
        call.emit(.entered, from: name)
        do {
            let output = try await base.intercept(chain: chain)
            call.emit(.left, from: name, (output as? any Summarizable).attributes)
            return output
        } catch {
            call.emit(.failed, from: name, ["error.type": .text(typeName(of: error))])
            throw error
        }
    }
}

extension Optional<any Summarizable> {
    fileprivate var attributes: [String: Event.Value] {
        map { ["output": .text($0.summary)] } ?? [:]
    }
}
