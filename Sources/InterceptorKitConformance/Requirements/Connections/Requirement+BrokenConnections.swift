import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let brokenConnections: [Self] = [
        Self("says that nothing was sent where nobody listens") { context in
            let server = try context.server(.status(200))
            let url = server.url("/")
            server.stop()

            let error = try await context.transportError(.cannotConnect, of: "The send") {
                try await context.send(.post(url, body: "x"))
            }

            try expect(error.isUnsent, "It does not say that nothing was sent.")
        },
        Self("says that nothing was sent where the name has no address") { context in
            // A label may have 63 characters (RFC 1035 section 2.3.4), so no server need be asked.
            let host = String(repeating: "a", count: 64) + ".invalid"

            let error = try await context.transportError(.nameNotResolved, of: "The send") {
                try await context.send(.post("http://\(raw: host)/", body: "x"))
            }

            try expect(error.isUnsent, "It does not say that nothing was sent.")
        },
        broken(
            "says that the connection was lost when it closes before the head",
            .closedBeforeReply
        ),
        broken("says that the connection was lost when it is reset before the head", .reset),
        broken(
            "fails when the connection closes within the head",
            .text("0123456789").truncatedInHead(after: 30),
            [.connectionLost, .protocolViolation]
        ),
        broken(
            "fails when the connection is reset within the head",
            .text("0123456789").resetInHead(after: 30)
        ),
        broken(
            "fails when the connection closes between head and body",
            .text("0123456789").truncated(after: 0)
        ),
        broken(
            "fails when the connection closes within a body of a stated length",
            .text("0123456789").truncated(after: 4)
        ),
        broken(
            "fails when the connection is reset within a body of a stated length",
            .text("0123456789").resetInBody(after: 4)
        ),
        broken(
            "fails when the connection closes within a chunk",
            .text("0123456789").chunked().truncated(after: 4)
        ),
        broken(
            "fails when the connection closes before the last chunk",
            .text("0123456789").chunked(size: 5).truncated(after: 10)
        ),
        broken(
            "fails when the connection is reset within a chunk",
            .text("0123456789").chunked().resetInBody(after: 4)
        ),
        Self("fails when the connection is reset within the request") { context in
            var options = LoopbackServer.Options()
            options.connectionFault = { _ in .reset(afterBytes: 100_000) }
            let server = try context.server(options) { _ in .status(200) }

            let error = try await context.transportError(.connectionLost, of: "The send") {
                try await context.send(
                    .put(server.url("/"), body: .bytes(Samples.bytes(4_000_000)))
                )
            }

            try expect(!error.isUnsent, "It says that nothing was sent.")
        },
        Self("fails when a connection is reset as it is accepted") { context in
            var options = LoopbackServer.Options()
            options.connectionFault = { _ in .reset() }
            let server = try context.server(options) { _ in .status(200) }

            _ = try await context.transportError(.connectionLost, .cannotConnect, of: "The send") {
                try await context.send(.get(server.url("/")))
            }
        },
        Self("delivers what arrived of a body before its failure") { context in
            let server = try context.server(.text("0123456789").truncated(after: 4))
            let response = try await context.send(.get(server.url("/")))

            var seen = Data()
            let error = try await context.failure(of: "The reading") {
                for try await chunk in response.body { seen += chunk }
            }

            try expect(error is TransportError, "\(type(of: error)) was thrown.")
            try expect("0123".utf8.starts(with: seen), "\(seen.count) other bytes were delivered.")
        },
        Self("works on after a connection broke") { context in
            let server = try context.server { $0.path == "/" ? .reset : .text("fine") }
            _ = try? await context.exchange(.get(server.url("/")))

            let (_, body) = try await context.exchange(.get(server.url("/next")))

            try expect(String(decoding: body, as: UTF8.self), is: "fine", "The next body")
        },
        Self("names host and port in an error, and neither path nor query") { context in
            let server = try context.server(.closedBeforeReply)

            let error = try await context.transportError(.connectionLost, of: "The send") {
                try await context.send(.get(server.url("/secret-path?token=s3cr3t")))
            }

            try expect(error.message.contains("127.0.0.1:\(server.port)"), "It says: \(error)")
            try expect(!error.description.contains("secret-path"), "It names the path.")
            try expect(!error.description.contains("s3cr3t"), "It names the query.")
        },
    ]

    private static func broken(
        _ name: String,
        _ reply: LoopbackServer.Reply,
        _ codes: [TransportError.Code] = [.connectionLost]
    ) -> Self {
        Self(name) { context in
            let error = try await context.brokenResponse(reply, codes)

            try expect(!error.isUnsent, "It says that nothing was sent.")
        }
    }
}
