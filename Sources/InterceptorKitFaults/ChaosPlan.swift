import InterceptorKit

struct ChaosPlan<Input: Interceptable>: Sendable {
    private static var source: String { "FaultInjectionInterceptor" }

    private let faults: [ChaosFault<Input>]
    private let delays: [ChaosFault<Input>]
    private let replacements: [ChaosFault<Input>]

    init(_ faults: [ChaosFault<Input>]) {
        self.faults = faults
        let active = faults.filter { $0.rate > 0 }
        delays = active.filter { if case .delay = $0.effect { true } else { false } }
        replacements = active.filter { if case .replace = $0.effect { true } else { false } }
    }

    func validate() throws(SettingError) {
        for (index, fault) in faults.enumerated() {
            let check = SettingCheck(of: "Fault \(index + 1) (\(fault.name))")
            try check.within(0...1, "rate", fault.rate)
            try fault.check?(check)
        }
        let sum = replacements.reduce(0) { $0 + $1.rate }
        // In binary, 0.7 + 0.2 + 0.1 is slightly more than 1.
        guard sum <= 1 + 1e-9 else {
            let names = replacements.map(\.name).joined(separator: ", ")
            throw SettingError(
                "The sum of the rates of \(names)",
                is: "\(sum)",
                mustBe: "at most 1",
                "A send meets one of these faults at most; latency does not count."
            )
        }
    }

    /// Sends, unless a fault replaces the send. Draws nothing if all rates are zero.
    nonisolated(nonsending) func send(
        _ input: Input,
        call: Call,
        _ send: ChaosFault<Input>.Send
    ) async throws -> Input.Output {
        for fault in delays {
            guard case .delay(let range) = fault.effect,
                call.runtime.randomFraction() < fault.rate
            else { continue }
            let width = range.upperBound - range.lowerBound
            let delay = range.lowerBound + width * call.runtime.randomFraction()
            call.emit(
                .faultInjected,
                ["fault": .text(fault.name), "delay": .duration(delay)]
            )
            try await call.runtime.sleep(for: delay)
        }
        guard let fault = drawReplacement(call.runtime), case .replace(let inject) = fault.effect
        else { return try await send(input) }
        call.emit(.faultInjected, ["fault": .text(fault.name)])
        return try await inject(input, call, send)
    }

    // A single draw: each fault has its share of the range from 0 to 1.
    private func drawReplacement(_ runtime: Runtime) -> ChaosFault<Input>? {
        guard !replacements.isEmpty else { return nil }
        var rest = runtime.randomFraction()
        for fault in replacements {
            if rest < fault.rate { return fault }
            rest -= fault.rate
        }
        return nil
    }
}
