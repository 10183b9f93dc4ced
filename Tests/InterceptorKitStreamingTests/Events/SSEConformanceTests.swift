import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitStreaming

@Suite("Server-sent events against published cases")
struct SSEConformanceTests {
    @Test(
        "are interpreted as web platform tests and contract tests say",
        .tags(.vectors),
        .vectors("sse")
    )
    func conformance() async throws {
        let result = try await besideOtherTests { try checkAll() }

        expectEqual(result.failures, [])
        expectTrue(result.passed >= 25 + 6 + 67 + 100)
        print(result.summary)
    }

    private func checkAll() throws -> Conformance {
        var result = Conformance("sse")
        let published = try JSONDecoder().decode(
            PublishedCases.self,
            from: try Vectors.data("sse/wpt-eventsource.json")
        )
        for row in published.cases {
            let problem = row.asCase.problemAtAnySplit
            result.note(problem == nil, problem ?? "")
        }
        for (types, isRight) in [(published.mime.valid, true), (published.mime.rejected, false)] {
            for type in types {
                let response = HTTP.Response(200, headers: ["Content-Type": type])
                result.note(response.isEventStream == isRight, type)
            }
        }
        for row in EventStreamCase.contract {
            // The large ones are split in one place only.
            let isLarge = row.bytes.count > 1 << 20
            let problem = isLarge ? row.problem(with: row.pieces) : row.problemAtAnySplit
            result.note(problem == nil, problem ?? "")
        }
        for seed in 0..<100 as Range<UInt64> {
            let problem = EventStreamReading.randomCase(seed: seed).problemAtAnySplit
            result.note(problem == nil, problem ?? "")
        }
        for row in EventSourceContract.cases {
            let problem = try row.problem
            result.note(problem == nil, "\(row.name): \(problem ?? "")")
        }
        return result
    }

    @Test("are requested again as contract tests say", arguments: EventSourceContract.cases)
    func contract(row: EventSourceContract) throws {
        try expectEqual(row.problem, nil)
    }

    @Test(
        "interpret two published streams as literals say",
        arguments: [
            // wpt/eventsource/format-field-parsing.any.js
            EventStreamCase(
                "format-field-parsing",
                "data:\u{0}\ndata:  2\rData:1\ndata\u{0}:2\ndata:1\r\u{0}data:4\nda-ta:3\rdata_5\ndata:3\r"
                    + "data:\r\n data:32\ndata:4\n\n",
                events: [.init(data: "\u{0}\n 2\n1\n3\n\n4")]
            ),
            // wpt/eventsource/format-bom.any.js
            EventStreamCase(
                "format-bom",
                "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n",
                events: [.init(data: "1"), .init(data: "3")]
            ),
        ]
    )
    func literals(row: EventStreamCase) {
        expectEqual(row.problemAtAnySplit, nil)
    }
}

private struct PublishedCases: Decodable {
    struct Types: Decodable {
        let valid: [String]
        let rejected: [String]
    }

    struct Row: Decodable {
        struct Event: Decodable {
            let event: String
            let data: String
            let id: String?
        }

        let name: String
        let wire_base64: String
        let events: [Event]
        let retry_ms: Int?
        let last_event_id_at_end: String?

        var asCase: EventStreamCase {
            EventStreamCase(
                name,
                bytes: Data(base64Encoded: wire_base64) ?? Data(),
                events: events.map { .init(type: $0.event, data: $0.data, id: $0.id ?? "") },
                retry: retry_ms.map { .milliseconds($0) },
                lastEventID: last_event_id_at_end
            )
        }
    }

    let mime: Types
    let cases: [Row]
}
