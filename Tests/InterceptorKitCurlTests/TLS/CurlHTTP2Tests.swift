import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "CurlTransport over HTTP/2",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled("nginx (/usr/sbin/nginx) and openssl (/usr/bin/openssl) are not installed") {
        Nginx.isInstalled
    },
    .timeLimit(.minutes(10))
)
struct CurlHTTP2Tests {
    private let nginx: Nginx
    private var settings = CurlTransport.Settings()
    private let transport: CurlTransport

    init() async throws {
        nginx = try await Nginx()
        settings.proxy = .none
        settings.tls.trust = .file(nginx.certificates.path("ca.pem"))
        transport = try CurlTransport(settings: settings)
    }

    private func text(_ path: String) async throws -> String {
        try await transport.send(.get(nginx.url(.good, path)), call: Call()).text()
    }

    @Test("sends many requests over one connection")
    func multiplexed() async throws {
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await text("/connection") } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        expectEqual(texts.count, 1)
    }

    @Test("ends cancelled requests once and completes the others")
    func storm() async throws {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<600 {
                if index >= 24 { _ = await group.next() }
                group.addTask {
                    let isLarge = index % 3 == 0
                    let task = Task {
                        let response = try await transport.send(
                            .get(nginx.url(.good, isLarge ? "/large" : "/")),
                            call: Call()
                        )
                        return try await response.body.collect()
                    }
                    if index % 2 == 0 {
                        for _ in 0..<(index * 37 % 400) { await Task.yield() }
                        task.cancel()
                    }
                    switch await task.result {
                    case .success(let content):
                        expectTrue(
                            content == Nginx.large || !isLarge,
                            "request \(index): \(content.count) bytes"
                        )
                    case .failure(let error):
                        expectTrue(error is CancellationError, "request \(index)")
                    }
                }
            }
        }
        await transport.loops.idle()

        expectEqual(transport.loops.liveCount, 0)
    }

    @Test("does not let an unread body block the others on its connection")
    func slowReader() async throws {
        let large = try await transport.send(.get(nginx.url(.good, "/large")), call: Call())
        for _ in 0..<20 { _ = try await text("/") }

        let content = try await large.body.collect()

        expectEqual(content, Nginx.large)
    }

    @Test("never delivers bytes of a cancelled body to another request")
    func foreignBytes() async throws {
        var settings = settings
        settings.bufferedBytes = 1
        let transport = try CurlTransport(settings: settings)
        let request = HTTP.Request.get(nginx.url(.good, "/large"))
        // While it is open the connection stays in use.
        let first = try await transport.send(request, call: Call())
        for _ in 0..<10 {
            let cancelled = try await transport.send(request, call: Call())
            cancelled.body.cancel()
            let content = try await transport.send(request, call: Call()).body.collect()

            expectEqual(content, Nginx.large)
        }
        first.body.cancel()
    }

    @Test("sends streams of unknown and of known length whole")
    func upload() async throws {
        for length in [nil, 500_000] {
            let body = HTTP.Body.replayable(length: length) {
                AsyncStream { continuation in
                    for _ in 0..<50 { continuation.yield(Data(count: 10_000)) }
                    continuation.finish()
                }
            }

            let response = try await transport.send(
                .post(nginx.url(.good, "/length"), body: body),
                call: Call().withDeadline(within: .seconds(20))
            )
            let text = try await response.text()

            expectEqual(text, "500000")
        }
    }

    @Test("ends an upload that is refused before it is read", .timeLimit(.minutes(10)))
    func refusedUpload() async throws {
        let body = HTTP.Body.bytes(Data(count: 1_000_000))

        let response = try await transport.send(
            .post(nginx.url(.good, "/upload"), body: body),
            call: Call().withDeadline(within: .seconds(20))
        )
        let text = try await response.text()

        expectEqual(response.status, 413)
        expectEqual(text, "no")
    }

    @Test("delivers every response after which the host reads no more")
    func early() async throws {
        let request = HTTP.Request.post(
            nginx.url(.good, "/small"),
            body: .bytes(Data(count: 200_000))
        )

        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<200 {
                if index >= 40 { _ = try await group.next() }
                group.addTask { try await transport.send(request, call: Call()).text() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        await transport.loops.idle()

        expectEqual(texts, ["small"])
    }

    @Test("executes each POST once on connections that a server ends")
    func shortLived() async throws {
        let statuses = try await withThrowingTaskGroup(of: HTTP.Status.self) { group in
            var statuses: Set<HTTP.Status> = []
            for index in 0..<400 {
                if index >= 8, let status = try await group.next() { statuses.insert(status) }
                group.addTask { try await post("/posted?\(index)") }
            }
            return try await group.reduce(into: statuses) { $0.insert($1) }
        }
        // Noted when a response has been sent, which its reader may be first to see.
        try await expectTrue(eventually { try nginx.executions().count >= 400 })
        let executions = try nginx.executions()

        expectEqual(statuses, [200])
        expectEqual(executions.count, 400)
        expectEqual(executions.values.max(), 1)
    }

    /// Again as often as it was not sent: the transport itself gives up in time.
    private func post(_ path: String) async throws -> HTTP.Status {
        let request = HTTP.Request.post(nginx.url(.shortLived, path), body: "x")
        while true {
            do {
                let response = try await transport.send(request, call: Call())
                await response.body.discard()
                return response.status
            } catch let error as TransportError where error.isUnsent {
                continue
            }
        }
    }
}
