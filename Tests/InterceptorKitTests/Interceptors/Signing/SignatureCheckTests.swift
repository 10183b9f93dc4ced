import Expectations
import InterceptorKit
import InterceptorKitSigning
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("SignInterceptor and interceptors below it")
struct SignatureCheckTests {
    private struct Run: Sendable {
        var status: Int?
        var error: SigningError?
        var isReported = false
    }

    private func run(
        status: HTTP.Status,
        _ scheme: some SignatureScheme = MessageSignatureScheme(),
        change: @escaping @Sendable (inout HTTP.Request) -> Void
    ) throws -> Run {
        try Simulation.run { simulation in
            let sink = RecordingEventSink()
            let keys = FixedSigningKeys([SigningKey(id: "app-1", secret: "s3cret".utf8)])
            let transport = ScriptedTransport<HTTP.Request>(replies: [.status(status)])
            let client = try simulation.client(transport, events: sink) {
                SignInterceptor(RequestSigner(scheme, keys: keys))
                AnyInterceptor { chain in try await chain.proceed(changing: change) }
            }
            var run = Run()
            do {
                let request = HTTP.Request.post(orders, headers: ["X-Own": "1"], body: "{}")
                run.status = try await client.send(request).status.code
            } catch let error as SigningError {
                run.error = error
            }
            run.isReported = sink.events.contains { $0.name == .signatureBroken }
            return run
        }
    }

    @Test("name what was changed after signing when the server refuses")
    func refused() throws {
        let changes: [(String, @Sendable (inout HTTP.Request) -> Void)] = [
            ("the method", { $0.method = .put }),
            ("the URL", { $0.url = "https://api.example.com/orders?debug=1" }),
            ("the body", { $0.body = "{} " }),
            ("content-type", { $0.headers["Content-Type"] = "text/plain" }),
            ("content-digest", { $0.headers["Content-Digest"] = nil }),
            ("Signature", { $0.headers["Signature"] = "sig=:AA==:" }),
        ]

        for (name, change) in changes {
            let run = try self.run(status: 401, change: change)
            expectEqual(run.error?.code, .changedAfterSigning)
            expectEqual(run.error?.message.contains("after signing: \(name)."), true)
            expectTrue(run.isReported)
        }
        let byHMAC = try self.run(status: 403, HMACScheme()) { $0.headers["Content-Type"] = "a/b" }
        expectEqual(byHMAC.error?.code, .changedAfterSigning)
        // The signature covers that there is no such field.
        let byAbsence = try self.run(status: 401, TraceScheme()) { $0.headers["X-Trace"] = "1" }
        expectEqual(byAbsence.error?.code, .changedAfterSigning)
    }

    @Test("report a change after signing, and keep the response, on success")
    func accepted() throws {
        let run = try self.run(status: 200) { $0.method = .put }

        expectEqual(run.status, 200)
        expectTrue(run.isReported)
    }

    @Test("may add and change what no signature covers")
    func uncovered() throws {
        let run = try self.run(status: 401) { request in
            request.headers["X-Own"] = "2"
            request.headers["User-Agent"] = "teapot"
        }

        expectEqual(run.status, 401)
        expectTrue(!run.isReported)
    }
}

/// Covers a field whether or not a request has it.
private struct TraceScheme: SignatureScheme {
    var signatureFields: [String] { ["X-Sign"] }

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { nil }

    func coveredFields(of request: HTTP.Request) -> [String] { ["x-trace"] }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        var request = request
        request.headers["X-Sign"] = request.headers["X-Trace"] ?? "none"
        return request
    }
}
