import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let refusals: [Self] = [
        refusal("refuses a field value with a line break", [.invalidField]) {
            .get($0, headers: ["X-A": "1\r\nX-Injected: 1"])
        },
        refusal("refuses a field value with a line feed alone", [.invalidField]) {
            .get($0, headers: ["X-A": "1\nX-Injected: 1"])
        },
        refusal("refuses a field value with a NUL", [.invalidField]) {
            .get($0, headers: ["X-A": "1\u{0}2"])
        },
        refusal("refuses a field value with a control character", [.invalidField]) {
            .get($0, headers: ["X-A": "1\u{7F}"])
        },
        refusal("refuses a field name with a line break", [.invalidField]) {
            .get($0, headers: ["X-A: 1\r\nX-Injected": "1"])
        },
        refusal("refuses an empty field name", [.invalidField]) { .get($0, headers: ["": "1"]) },
        refusal("refuses a method that is not a token", [.invalidMethod]) {
            HTTP.Request("GET / HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET", $0)
        },
        refusal("refuses a Content-Length that is not the body's", [.invalidField]) {
            .put($0, headers: ["Content-Length": "1"], body: "abc")
        },
        refusal("refuses a Content-Length with a sign", [.invalidField]) {
            .put($0, headers: ["Content-Length": "+3"], body: "abc")
        },
        refusal("refuses two Host fields", [.invalidField]) {
            .get($0, headers: ["Host": "a.example", "Host": "b.example"])
        },
        refusal("refuses an empty Host", [.invalidField]) { .get($0, headers: ["Host": ""]) },
        refusal("refuses CONNECT", [.invalidMethod]) { HTTP.Request("CONNECT", $0) },
        refusal("refuses a Transfer-Encoding", [.invalidField]) {
            .put($0, headers: ["Transfer-Encoding": "chunked"], body: "abc")
        },
        refusal("refuses a URL without scheme and host", [.invalidURL]) { _ in .get("/path") },
        refusal("refuses a URL with a line break", [.invalidURL]) {
            .get(HTTP.URL(unvalidated: $0.text + "a\r\nX-Injected: 1"))
        },
        refusal("refuses a scheme other than http and https", [.unsupportedScheme]) { _ in
            .get("ftp://127.0.0.1/path")
        },
    ]

    private static func refusal(
        _ name: String,
        _ codes: [HTTP.RequestError.Code],
        _ request: @escaping @Sendable (HTTP.URL) -> HTTP.Request
    ) -> Self {
        Self(name) { context in
            let server = try context.server(.status(200))

            let error = try await context.refusal(of: "The send") {
                try await context.send(request(server.url("/")))
            }

            try expect(codes.contains(error.code), "It was refused as \(error.code): \(error)")
            try expect(server.requests.isEmpty, "The server received \(server.requests).")
        }
    }
}
