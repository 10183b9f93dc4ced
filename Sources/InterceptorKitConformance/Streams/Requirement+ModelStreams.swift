import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    private struct Part: Decodable, Sendable {
        let text: String
    }

    private static let output = """
        data: {"text": "To be"}

        data: {"text": ", or not"}

        data: [DONE]


        """
    // The middle of the second part.
    private static let broken = 40

    static let modelStreams: [Self] = [
        stream("delivers a model's output, and closes at its end") { context in
            let server = try context.context.server(
                StreamContext.stream(output + ": more").stalledInBody(after: output.utf8.count)
            )

            try await expect(parts(of: server, context), is: ["To be", ", or not"], "The parts")

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        stream("sends a model's request again that broke before the first event") { context in
            let server = try context.context.server { request in
                let reply = StreamContext.stream(": hold on\n\n" + output)
                return request.number <= 2 ? reply.truncated(after: 15) : reply
            }

            try await expect(parts(of: server, context), is: ["To be", ", or not"], "The parts")

            try expect(server.requests.map(\.text), is: ["?", "?", "?"], "The bodies")
        },
        stream("throws a model's output that broke off, and sends nothing again") { context in
            let server = try context.context.server(
                StreamContext.stream(output).truncated(after: broken)
            )

            let error = try await context.context.failure(of: "The output") {
                try await parts(of: server, context)
            }

            guard let error = error as? HTTP.ModelStreamError<Part> else {
                throw ExpectationFailure("It threw \(type(of: error)): \(error)")
            }
            try expect(error.received.map(\.text), is: ["To be"], "What was received")
            try expect(error.code, is: .interrupted, "The error's code")
            try expect(server.requests.count, is: 1, "The number of requests")
        },
        stream("throws a model's output that ends without its end event") { context in
            let beginning = output.beginning(before: "[").dropLast("data: ".count)
            let server = try context.context.server(
                StreamContext.stream(String(beginning)).endingWithConnection()
            )

            let error = try await context.context.failure(of: "The output") {
                try await parts(of: server, context)
            }

            let received = (error as? HTTP.ModelStreamError<Part>)?.received.map(\.text)
            try expect(received, is: ["To be", ", or not"], "What was received")
        },
        stream("closes the connection of a model's output that is left") { context in
            let server = try context.context.server(
                StreamContext.stream(output).stalledInBody(after: broken)
            )

            for try await _ in stream(of: server, context) { break }

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    private static func stream(
        of server: LoopbackServer,
        _ context: StreamContext
    ) -> some AsyncSequence<Part, any Error> & Sendable {
        var options = HTTP.ModelStreamOptions()
        options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(5))
        let request = HTTP.Request.post(server.url("/"), body: .text("?"))
        return context.client.modelStream(request, as: Part.self, options: options)
    }

    private nonisolated(nonsending) static func parts(
        of server: LoopbackServer,
        _ context: StreamContext
    ) async throws -> [String] {
        var parts: [String] = []
        for try await part in stream(of: server, context) { parts.append(part.text) }
        return parts
    }
}
