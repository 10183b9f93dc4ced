import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

extension TransportConformance.Requirement {
    private struct Record: Decodable, Sendable, Equatable {
        let number: Int
    }

    static let linesAndRecords: [Self] = [
        stream("delivers each line before the server makes the next") { context in
            let feed = try LiveFeed(context.context)

            feed.send("first\r\n")
            var lines = try await context.client.send(.get(feed.server.url("/"))).body.lines
                .makeAsyncIterator()
            try expect(try await lines.next(), is: "first", "The line")
            feed.send("second\nth")
            try expect(try await lines.next(), is: "second", "The line")
            feed.send("ird")
            feed.end()
            try expect(try await lines.next(), is: "third", "The line")
            try expect(try await lines.next(), is: nil, "What follows the last line")
        },
        stream("delivers lines whose bytes come one by one") { context in
            let server = try context.context.server(
                .text("é\r\n\r\n\n🚄\rlast").chunked(size: 1)
            )

            var lines: [String] = []
            for try await line in try await context.client.send(.get(server.url("/"))).body.lines {
                lines.append(line)
            }

            try expect(lines, is: ["é", "", "", "🚄", "last"], "The lines")
        },
        stream("delivers JSON lines across chunks") { context in
            let text = (0..<100).map { #"{"number": \#($0)}"# + "\n" }.joined()
            let server = try context.context.server(.text(text).chunked(size: 7))

            var numbers: [Int] = []
            let body = try await context.client.send(.get(server.url("/"))).body
            for try await record in body.jsonLines(of: Record.self) {
                numbers.append(record.number)
            }

            try expect(numbers, is: Array(0..<100), "The numbers")
        },
        stream("delivers a JSON text sequence across chunks") { context in
            let text = (0..<100).map { "\u{1E}" + #"{"number": \#($0)}"# + "\n" }.joined()
            let server = try context.context.server(.text(text).chunked(size: 7))

            var numbers: [Int] = []
            let body = try await context.client.send(.get(server.url("/"))).body
            for try await record in body.jsonSequence(of: Record.self) {
                numbers.append(record.number)
            }

            try expect(numbers, is: Array(0..<100), "The numbers")
        },
        stream("throws where lines break off, after those before") { context in
            let server = try context.context.server(
                .text("one\ntwo\nthree\n").truncated(after: 10)
            )
            let body = try await context.client.send(.get(server.url("/"))).body

            var lines: [String] = []
            do {
                for try await line in body.lines { lines.append(line) }
                throw ExpectationFailure("The lines ended as if they had been all.")
            } catch is TransportError {}

            try expect(lines, is: ["one", "two"], "The lines")
        },
        stream("closes the connection of lines that are left") { context in
            let server = try context.context.server(
                .text("one\ntwo\nthree\n").stalledInBody(after: 10)
            )

            for try await line in try await context.client.send(.get(server.url("/"))).body.lines
            where line == "two" { break }

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]
}
