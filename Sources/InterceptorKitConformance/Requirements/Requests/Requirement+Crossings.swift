import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    // Engines have ended their process when a call ended at the moment at which they continued with it. The server
    // signals that moment, so no trial depends on time.
    static let crossings: [Self] = [
        Self("survives calls that are cancelled as a redirect comes") { context in
            try await context.crossings {
                .get($0)
            } answered: {
                .redirect(to: "/elsewhere")
            }
        },
        Self("survives calls that are cancelled as a refusal comes") { context in
            try await context.crossings {
                .get($0)
            } answered: {
                .status(401, headers: ["WWW-Authenticate": #"Basic realm="r""#], body: "who")
            }
        },
        Self("survives files that are answered before they are sent") { context in
            try await Samples.withFile(Samples.bytes(600_000)) { path in
                try await context.crossings(early: true) {
                    .post($0, body: .file(path))
                } answered: {
                    .text("too much", status: 413)
                }
            }
        },
        Self("survives calls that are cancelled while a file is sent") { context in
            try await Samples.withFile(Samples.bytes(600_000)) { path in
                try await context.crossings(cancelledBySending: true) {
                    .post($0, body: .file(path))
                } answered: {
                    .text("thanks")
                }
            }
        },
    ]
}

extension ConformanceContext {
    private static let rounds = 6
    private static let callsInRound = 20

    /// Makes many calls, each of which is cancelled when its request arrives.
    fileprivate nonisolated(nonsending) func crossings(
        early: Bool = false,
        cancelledBySending: Bool = false,
        _ request: @escaping @Sendable (HTTP.URL) -> HTTP.Request,
        answered reply: @escaping @Sendable () -> LoopbackServer.Reply
    ) async throws {
        let calls = CrossedCalls()
        var options = LoopbackServer.Options()
        if early {
            options.earlyReply = { request in
                guard request.path != "/after" else { return nil }
                calls.cancel(request.path)
                return reply()
            }
        }
        let server = try server(options) { request in
            if !cancelledBySending { calls.cancel(request.path) }
            return request.path == "/after" ? .text("fine") : reply()
        }
        for round in 0..<Self.rounds {
            await withTaskGroup { group in
                for index in 0..<Self.callsInRound {
                    let path = "/\(round)/\(index)"
                    var call = Call()
                    if cancelledBySending {
                        call.onBodySent = { if $0 > 0 { calls.cancel(path) } }
                    }
                    let request = request(server.url(path))
                    group.addTask { [transport, call] in
                        await calls.run(path) {
                            let response = try await transport.send(request, call: call)
                            _ = try await response.body.collect(upTo: 1 << 20)
                        }
                    }
                }
            }
        }
        let (_, body) = try await exchange(.get(server.url("/after")))
        try expect(String(decoding: body, as: UTF8.self), is: "fine", "The next body")
    }
}

/// The calls under way, by name.
private final class CrossedCalls: Sendable {
    private let tasks = Lock<[String: Task<Void, any Error>]>([:])

    /// Runs a call to its end, whatever the outcome.
    func run(_ name: String, _ call: @escaping @Sendable () async throws -> Void) async {
        let task = Task { try await call() }
        tasks.withLock { $0[name] = task }
        _ = await task.result
        tasks.withLock { $0[name] = nil }
    }

    func cancel(_ name: String) { tasks.withLock { $0[name] }?.cancel() }
}
