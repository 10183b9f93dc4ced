import InterceptorKit
import InterceptorKitFaults
import InterceptorKitTesting

let chaosTarget: HTTP.Request = .get("https://a.example/orders")

func answering(_ body: HTTP.Body = "0123456789") -> ScriptedTransport<HTTP.Request> {
    ScriptedTransport { _, _ in HTTP.Response(200, body: body) }
}

/// Why faults are refused.
func chaosError(_ faults: [ChaosFault<HTTP.Request>]) -> SettingError? {
    let base = ScriptedTransport<HTTP.Request>(replies: [])
    do throws(SettingError) {
        _ = try ChaosTransport(over: base, faults)
        return nil
    } catch {
        return error
    }
}
