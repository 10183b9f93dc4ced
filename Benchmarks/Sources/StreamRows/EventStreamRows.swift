import Foundation
import InterceptorKit
import InterceptorKitStreaming
public import Measuring

/// Server-sent events of one size, read by ours and by what one would write by hand.
public struct EventStreamRows: Sendable {
    /// The bytes that one repetition reads.
    public let byteCount: Int
    /// The events among them.
    public let eventCount: Int
    /// Ours, by hand, and the least that any reader does.
    public let workloads: [Workload]

    /// Makes about a mebibyte of events.
    /// - Parameter dataLength: The bytes of an event's data.
    public init(dataLength: Int) {
        let data = String(repeating: "x", count: dataLength)
        let count = (1 << 20) / (dataLength + 40)
        let text = (0..<count).map { "id: \($0 % 10_000)\nevent: price\ndata: \(data)\n\n" }
        let bytes = Data(text.joined().utf8)
        let chunks = Chunks(bytes)
        byteCount = bytes.count
        eventCount = count
        workloads = [
            Workload("response.events()", answer: count * dataLength) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    for try await event in Self.response(chunks).events() {
                        sum += event.data.utf8.count
                    }
                }
                return sum
            },
            Workload("split strings, by hand", answer: count * dataLength) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    var event: [String: String] = [:]
                    for try await line in Self.response(chunks).body.lines {
                        let field = line.split(separator: ":", maxSplits: 1)
                        if field.count == 2 {
                            event[String(field[0])] = field[1].trimmingCharacters(in: .whitespaces)
                        } else {
                            sum += event["data"]?.utf8.count ?? 0
                            event = [:]
                        }
                    }
                }
                return sum
            },
            Workload("ideal: counts LF by memchr", answer: count * 4) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    for try await chunk in Self.response(chunks).body {
                        sum += LineRows.lineFeeds(in: chunk)
                    }
                }
                return sum
            },
        ]
    }

    /// Reads a gigabyte of events, to see whether memory grows.
    public static func readGigabyte() async throws -> Int {
        let event = "id: 7\ndata: \(String(repeating: "x", count: 200))\n\n"
        let block = Data(String(repeating: event, count: 5000).utf8)
        let times = (1 << 30) / block.count
        var count = 0
        for try await _ in response(Chunks(block, times: times)).events() { count += 1 }
        return count
    }

    private static func response(_ chunks: Chunks) -> HTTP.Response {
        HTTP.Response(200, headers: ["Content-Type": "text/event-stream"], body: .oneShot(chunks))
    }
}
