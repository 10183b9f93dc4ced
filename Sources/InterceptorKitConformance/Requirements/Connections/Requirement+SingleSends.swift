import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    // A request that has arrived may have been executed, whatever its method; interceptors decide whether to resend it.
    // Engines that resend do so on reused connections (RFC 9112 section 9.3.1), so each of these follows another
    // exchange.
    static let singleSends: [Self] = [
        once(.post, ending: .closes), once(.post, ending: .isReset),
        once(.patch, ending: .closes), once(.patch, ending: .isReset),
        once(.put, ending: .closes), once(.put, ending: .isReset),
        Self("sends a GET once when the used connection closes before the response") { context in
            try await context.expectSingleArrivals(.get, [.empty], ending: .closes)
        },
        Self("sends a GET once when the used connection is reset before the response") { context in
            try await context.expectSingleArrivals(.get, [.empty], ending: .isReset)
        },
        streamedOnce(.post, ending: .closes), streamedOnce(.post, ending: .isReset),
        streamedOnce(.patch, ending: .closes), streamedOnce(.patch, ending: .isReset),
        streamedOnce(.put, ending: .closes), streamedOnce(.put, ending: .isReset),
        Self("sends once what expects 100 when the used connection breaks") { context in
            for ending in [Ending.closes, .isReset] {
                try await context.expectSingleArrivals(
                    .post,
                    ["x"],
                    headers: ["Expect": "100-continue"],
                    ending: ending
                )
            }
        },
        Self("never says that no connection could be made of what a server took before it went") {
            context in
            for method in [HTTP.Method.get, .post] {
                try await context.expectLossAsServerGoes(method)
            }
        },
        afterIdleness("closed", .text("hello").closedSilentlyAfter()),
        afterIdleness("reset", .text("hello").resetAfter()),
    ]

    fileprivate enum Ending: String {
        case closes
        case isReset = "is reset"

        var reply: LoopbackServer.Reply { self == .closes ? .closedBeforeReply : .reset }
    }

    private static func once(_ method: HTTP.Method, ending: Ending) -> Self {
        Self(
            "sends a \(method) once when the used connection \(ending.rawValue) before the response"
        ) {
            try await $0.expectSingleArrivals(
                method,
                ["x", .bytes(Samples.bytes(200_000))],
                ending: ending
            )
        }
    }

    private static func streamedOnce(_ method: HTTP.Method, ending: Ending) -> Self {
        Self(
            "sends a streamed \(method) once when the used connection \(ending.rawValue) before the "
                + "response"
        ) {
            try await $0.expectSingleArrivals(
                method,
                [
                    .replayable { Samples.chunks(3, of: 5_000) },
                    .replayable(length: 15_000) { Samples.chunks(3, of: 5_000) },
                    .oneShot(Samples.chunks(3, of: 5_000)),
                ],
                ending: ending
            )
        }
    }

    // Nothing has left yet here, so the request arrives.
    private static func afterIdleness(_ what: String, _ reply: LoopbackServer.Reply) -> Self {
        Self("sends a POST once where the used connection was \(what) while idle") { context in
            let server = try context.server(reply)

            for _ in 0..<3 {
                let (head, _) = try await context.exchange(.post(server.url("/"), body: "x"))
                try expect(head.status, is: 200, "The status")
                try await server.waitForOpenConnections(0)
            }

            try expect(server.requests.count, is: 3, "The number of requests")
        }
    }
}

extension ConformanceContext {
    // An engine that retries by itself is then refused, which does not describe the first try.
    fileprivate nonisolated(nonsending) func expectLossAsServerGoes(
        _ method: HTTP.Method
    ) async throws {
        let server = try server { $0.number == 1 ? .text("before") : .stalled }
        _ = try await exchange(.get(server.url("/before")))
        let request = HTTP.Request(method, server.url("/"), body: method == .get ? .empty : "x")
        let sending = Task { [transport] in try await transport.send(request, call: Call()) }
        try await server.waitForRequests(2)

        server.stop()

        let error = try await transportError(.connectionLost, of: "The send") {
            try await sending.value
        }
        try expect(!error.isUnsent, "It says that nothing was sent.")
    }

    fileprivate nonisolated(nonsending) func expectSingleArrivals(
        _ method: HTTP.Method,
        _ bodies: [HTTP.Body],
        headers: HTTP.Headers = [:],
        ending: TransportConformance.Requirement.Ending
    ) async throws {
        let server = try server { $0.path == "/before" ? .text("before") : ending.reply }

        for (index, body) in bodies.enumerated() {
            _ = try await exchange(.get(server.url("/before")))
            let url = server.url("/order/\(index)")
            let error = try await transportError(.connectionLost, of: "The send") {
                try await exchange(HTTP.Request(method, url, headers: headers, body: body))
            }
            // One more exchange, by which a repetition would have arrived.
            _ = try await exchange(.get(server.url("/before")))

            let arrivals = server.requests.filter { $0.path == "/order/\(index)" }.count
            try expect(arrivals, is: 1, "The number of times that it arrived")
            try expect(!error.isUnsent, "It says that nothing was sent.")
        }
    }
}
