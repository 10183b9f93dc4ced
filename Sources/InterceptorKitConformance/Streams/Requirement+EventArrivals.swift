import InterceptorKit
import InterceptorKitStreaming
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let eventArrivals: [Self] = [
        stream("delivers each event before the server makes the next") { context in
            let feed = try LiveFeed(context.context)

            var events = context.source(feed.server).makeAsyncIterator()
            for number in 0..<5 {
                feed.send("data: \(number)\n\n")
                try expect(try await events.next()?.data, is: "\(number)", "The event")
            }
        },
        stream("delivers an event whose last line ends with CR before another byte comes") {
            context in
            let feed = try LiveFeed(context.context)

            var events = context.source(feed.server).makeAsyncIterator()
            feed.send("data: first\r\n\r")
            try expect(try await events.next()?.data, is: "first", "The event")
            feed.send("\ndata: second\r\r")
            try expect(try await events.next()?.data, is: "second", "The event after it")
        },
        stream("delivers events whose bytes come one by one") { context in
            let server = try context.server(changing: .max) { $0.chunked(size: 1) }

            try await context.receiveAll(from: server)
        },
        stream("delivers a character whose bytes come apart") { context in
            let feed = try LiveFeed(context.context)
            let bytes = Data("data: 🚄\n\n".utf8)

            var events = context.source(feed.server).makeAsyncIterator()
            for byte in bytes { feed.send(Data([byte])) }

            try expect(try await events.next()?.data, is: "🚄", "The event")
        },
        stream("delivers comments as they come") { context in
            let feed = try LiveFeed(context.context)

            var updates = context.source(feed.server).updates.makeAsyncIterator()
            guard case .opened(let head) = try await updates.next() else {
                throw ExpectationFailure("The first update does not say that it is open.")
            }
            try expect(head.status, is: 200, "The status")
            for number in 0..<3 {
                feed.send(":\(number)\n")
                guard case .comment(let text) = try await updates.next() else {
                    throw ExpectationFailure("Comment \(number) did not come.")
                }
                try expect(text, is: "\(number)", "The comment")
            }
        },
        stream("delivers an event of a million bytes") { context in
            let data = String(repeating: "0123456789", count: 100_000)
            let server = try context.server(of: "data: \(data)\n\n")

            var events = context.source(server).makeAsyncIterator()
            let event = try await events.next()

            try expect(event?.data == data, "It came with \(event?.data.utf8.count ?? 0) bytes.")
        },
        stream("delivers the events of four streams at once") { context in
            let feeds = try (0..<4).map { _ in try LiveFeed(context.context) }

            var streams = feeds.map { context.source($0.server).makeAsyncIterator() }
            for round in 0..<2 {
                for index in feeds.indices {
                    feeds[index].send("data: \(round), \(index)\n\n")
                    let event = try await streams[index].next()
                    try expect(event?.data, is: "\(round), \(index)", "The event")
                }
            }
        },
        stream("delivers the events of a stream in gzip, or calls it so") { context in
            let text = "data: hello\n\ndata: gzip\n\n"
            let server = try context.context.server(
                .status(
                    200,
                    headers: [
                        "Content-Type": "text/event-stream", "Content-Encoding": "gzip",
                    ],
                    body: Gzip.stored(Data(text.utf8))
                )
            )

            var received: [String] = []
            for try await update in context.source(server).updates where received.count < 2 {
                if case .opened(let head) = update, head.headers.contains("Content-Encoding") {
                    return
                }
                if case .event(let event) = update { received.append(event.data) }
                if received.count == 2 { break }
            }

            try expect(received, is: ["hello", "gzip"], "What was received")
        },
    ]
}
