import Expectations
import InterceptorKit
import InterceptorKitStreaming
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("JSON records as a body")
struct BodyJSONRecordsTests {
    private struct Order: Codable, Sendable, Equatable {
        var id: Int
        var note: String
    }

    private let orders = [Order(id: 1, note: "a\nb"), Order(id: 2, note: "\u{1E}€")]

    private var sequence: AsyncStream<Order> {
        AsyncStream { continuation in
            for order in orders { continuation.yield(order) }
            continuation.finish()
        }
    }

    @Test("writes one line for each value, whatever the formatting")
    func lines() async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes = try await HTTP.Body.jsonLines(sequence, using: encoder).collect()
        let text = String(decoding: bytes, as: UTF8.self)
        let body = HTTP.Body.jsonLines(sequence, using: encoder)
        var read: [Order] = []
        for try await order in body.jsonLines(of: Order.self) { read.append(order) }

        expectEqual(text.split(separator: "\n").count, 2)
        expectTrue(text.hasSuffix("}\n"))
        expectEqual(read, orders)
    }

    @Test("writes a text sequence that is read as the same values")
    func textSequence() async throws {
        let bytes = try await HTTP.Body.jsonSequence(sequence).collect()
        var read: [Order] = []
        for try await order in HTTP.Body.jsonSequence(sequence).jsonSequence(of: Order.self) {
            read.append(order)
        }

        expectEqual(bytes.first, 0x1E)
        expectEqual(bytes.last, 0x0A)
        expectEqual(bytes.count { $0 == 0x1E }, 2)
        expectEqual(read, orders)
    }

    @Test("breaks off at a value that JSON cannot have")
    func unencodable() async {
        let numbers = AsyncStream { continuation in
            continuation.yield(1.5)
            continuation.yield(Double.nan)
        }

        await #expect(throws: EncodingError.self) {
            try await HTTP.Body.jsonLines(numbers).collect()
        }
    }
}
