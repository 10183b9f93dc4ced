import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let deadlines: [Self] = [
        Self("ends at the deadline, not before and not much later") { context in
            let server = try context.server(.text("late").delayed(by: .seconds(600)))
            let start = Runtime.live.now

            let error = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(.get(server.url("/")), deadline: .milliseconds(300))
            }
            let took = start.duration(to: Runtime.live.now)

            try expect(took >= .milliseconds(300), "It ended after \(took.formattedSeconds).")
            try expect(took < .seconds(10), "It ended after \(took.formattedSeconds).")
            try expect(!error.isUnsent, "It says that nothing was sent.")
        },
        Self("does not round a deadline down to whole seconds") { context in
            let server = try context.server(.stalled)
            let start = Runtime.live.now

            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(.get(server.url("/")), deadline: .milliseconds(1_900))
            }
            let took = start.duration(to: Runtime.live.now)

            try expect(took >= .milliseconds(1_900), "It ended after \(took.formattedSeconds).")
        },
        Self("sends nothing after the deadline") { context in
            let server = try context.server(.status(200))

            let error = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(.post(server.url("/late"), body: "x"), deadline: .zero)
            }
            _ = try await context.exchange(.get(server.url("/next")))

            try expect(error.isUnsent, "It does not say that nothing was sent.")
            try expect(server.requests.map(\.path), is: ["/next"], "What arrived")
        },
        Self("delivers a response that comes before the deadline") { context in
            let server = try context.server(.text("in time").delayed(by: .milliseconds(20)))

            let response = try await context.send(.get(server.url("/")), deadline: .seconds(600))
            let text = try await response.text()

            try expect(text, is: "in time", "The body")
        },
        Self("leaves a body alone whose head came before the deadline") { context in
            let server = try context.server { request in
                request.path == "/" ? .text("body").bodyDelayed(by: .milliseconds(2_500)) : .stalled
            }

            let response = try await context.send(.get(server.url("/")), deadline: .seconds(2))
            let text = try await response.text()

            try expect(text, is: "body", "The body")
        },
        Self("ends the connection at the deadline") { context in
            let server = try context.server { $0.path == "/" ? .stalled : .status(204) }
            // The connection is a kept one, since an engine may also keep one that was made too late.
            _ = try await context.exchange(.get(server.url("/before")))

            _ = try? await context.send(.get(server.url("/")), deadline: .milliseconds(100))

            try await server.waitForOpenConnections(0)
        },
        Self("ends at the deadline while the head comes in pieces") { context in
            let server = try context.server { request in
                request.path == "/"
                    ? .text("x").stalledInHead(after: 20).preceded(by: 102) : .status(204)
            }
            _ = try await context.exchange(.get(server.url("/before")))

            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(.get(server.url("/")), deadline: .milliseconds(200))
            }

            try await server.waitForOpenConnections(0)
        },
        Self("ends at the deadline while the request's body is made") { context in
            let server = try context.server(.status(200))
            let (chunks, source) = AsyncStream.makeStream(of: Data.self)
            defer { source.finish() }

            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(
                    .post(server.url("/"), body: .oneShot(chunks)),
                    deadline: .milliseconds(100)
                )
            }

            try expect(server.requests.isEmpty, "The server received a whole request.")
        },
        Self("ends at the deadline though the body's stream heeds nothing") { context in
            let server = try context.server(.status(200))
            let body = StalledStream()
            defer { body.end() }

            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(
                    .post(server.url("/"), body: .oneShot(body)),
                    deadline: .milliseconds(300)
                )
            }

            try expect(server.requests.isEmpty, "The server received a whole request.")
            try await server.waitForOpenConnections(0)
        },
        Self("fails before the deadline, or at it, on a head of 100,000 lines") { context in
            let fields = String(repeating: "a: b\r\n", count: 100_000)
            let rawResponse = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"
            let server = try context.server(.raw(rawResponse))
            let start = Runtime.live.now

            let error = try await context.transportError(
                .protocolViolation,
                .connectionLost,
                .timedOut,
                of: "The send"
            ) {
                try await context.send(.get(server.url("/")), deadline: .seconds(3))
            }
            let took = start.duration(to: Runtime.live.now)

            try expect(took < .seconds(5), "It ended after \(took.formattedSeconds).")
            try expect(!error.isUnsent, "It says that nothing was sent.")
        },
        Self("ends at the deadline while a server reads nothing of the body") { context in
            var options = LoopbackServer.Options()
            options.acceptsConnections = false
            let server = try context.server(options) { _ in .status(200) }

            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(
                    .put(server.url("/"), body: .bytes(Samples.bytes(8_000_000))),
                    deadline: .milliseconds(200)
                )
            }
        },
        Self("ends one call at its deadline and no other") { context in
            let server = try context.server { request in
                request.path == "/short" ? .stalled : .text("other").delayed(by: .milliseconds(800))
            }

            async let other = context.exchange(.get(server.url("/other")))
            _ = try await context.transportError(.timedOut, of: "The send") {
                try await context.send(.get(server.url("/short")), deadline: .milliseconds(50))
            }
            let (_, body) = try await other

            try expect(String(decoding: body, as: UTF8.self), is: "other", "The other body")
        },
    ]
}
