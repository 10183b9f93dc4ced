import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting

let chaosTarget: HTTP.Request = .get("https://a.example/orders")

func answering(_ body: HTTP.Body = "0123456789") -> ScriptedTransport<HTTP.Request> {
    ScriptedTransport { _, _ in HTTP.Response(200, body: body) }
}

/// A chain whose sends meet faults.
func faulty<Input>(
    _ base: some Transport<Input>,
    _ faults: [ChaosFault<Input>]
) throws -> Pipeline<Input> {
    try Pipeline(transport: base) { FaultInjectionInterceptor(faults) }
}

/// Why faults are refused.
func chaosError(_ faults: [ChaosFault<HTTP.Request>]) -> SettingError? {
    do {
        _ = try faulty(answering(), faults)
        return nil
    } catch {
        return (error as? PipelineError)?.cause as? SettingError
    }
}
