import Expectations
import InterceptorKit
import InterceptorKitTesting

extension EngineScenario {
    static let hosts = [
        EngineScenario("sends a Host of the request's own with the scheme's port in it") {
            makeTransport in
            let server = try LoopbackServer { _ in .text("hello") }
            let request = HTTP.Request.get(server.url("/"), headers: ["Host": "api.example.com:80"])

            _ = try await makeTransport().send(request, call: Call()).text()

            expectEqual(server.requests.first?.headers["Host"], "api.example.com:80")
        }
    ]
}
