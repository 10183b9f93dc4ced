package import InterceptorKit
package import InterceptorKitTesting

/// A web of redirects: what each URL answers; 200 where nothing is said.
package func web(_ answers: [String: HTTP.Response]) -> ScriptedTransport<HTTP.Request> {
    ScriptedTransport { request, _ in answers[request.url.text] ?? HTTP.Response(200) }
}

extension HTTP.Response {
    package static func redirect(_ status: HTTP.Status = 302, to target: String) -> HTTP.Response {
        HTTP.Response(status, headers: ["Location": target])
    }
}
