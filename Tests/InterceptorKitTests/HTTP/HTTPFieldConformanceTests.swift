import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("Header fields of the published test cases")
struct HTTPFieldConformanceTests {
    private struct Dates: Decodable {
        struct Row: Decodable {
            var input: String
            var epoch: Double?
            var now: String?
            var year: Int?
            var curlEpoch: Double?
            var rfc9110Format: String?
        }
        var rfc9110: [Row]
        var invalidStrict: [Row]
        var twoDigitYear: [Row]
        var curlLib517: [Row]
    }

    // A day that does not fit the date is what most recipients do not look at.
    private let wrongDay = "Mon, 06 Nov 1994 08:49:37 GMT"
    private let far = ["Sun, 06 Nov 2044 08:49:37 GMT": 2_362_034_977.0]
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(
        "are read as dates as RFC 9110 writes them, and no others",
        .tags(.vectors),
        .vectors("http-fields")
    )
    func dates() throws {
        let file = try decode(Dates.self, "http-date")
        var conformance = Conformance("http-date")

        for row in file.rfc9110 {
            conformance.note(seconds(row.input) == row.epoch, row.input)
        }
        for row in file.invalidStrict where row.input != wrongDay {
            conformance.note(seconds(row.input) == nil, row.input)
        }
        conformance.skip()
        for row in file.twoDigitYear {
            let date = HTTP.date(row.input, now: try unwrap(self.date(row.now)))
            let year = date.map { Calendar.utc.component(.year, from: $0) }
            conformance.note(year == row.year, row.input)
        }
        for row in file.curlLib517 {
            // What curl alone reads is no date. It refuses one that is: a year beyond its time_t's then.
            let expected = row.rfc9110Format == nil ? nil : row.curlEpoch ?? far[row.input]
            conformance.note(seconds(row.input) == expected, row.input)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 210)
    }

    private struct Waits: Decodable {
        struct Row: Decodable {
            var value: String
            var now: String?
            var waitSeconds: Double?
        }
        struct Place: Decodable {}
        struct Scenario: Decodable { var origin: String }
        var valid: [Row]
        var invalid: [Row]
        var appliesTo: [Place]
        var curlScenarios: [Scenario]
    }

    @Test("are read as waits, and ignored if meaningless", .tags(.vectors), .vectors("http-fields"))
    func retryAfter() throws {
        let file = try decode(Waits.self, "retry-after")
        var conformance = Conformance("retry-after")

        for row in file.valid {
            let wait = wait(row.value, at: date(row.now) ?? now)
            conformance.note(wait == row.waitSeconds.map { .seconds($0) }, row.value)
        }
        for row in file.invalid {
            // More seconds than an Int holds may be ignored or cut.
            let century = Duration.seconds(100 * 365 * 86_400)
            let wait = wait(row.value, at: now)
            // A fraction, which RFC 9110 does not have, is read as the services mean that send it.
            let isFraction = row.value == "1.5" && wait == .seconds(1.5)
            conformance.note(
                wait == nil || isFraction || wait == century && row.value.count == 20,
                row.value
            )
        }
        // Where the field applies and what a retry makes of it is for the tests of the tasks that wait.
        for _ in file.appliesTo { conformance.skip() }
        for _ in file.curlScenarios { conformance.skip() }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 21)
    }

    private struct Keys: Decodable {
        struct Row: Decodable {
            var value: String
            var key: String?
        }
        struct Answer: Decodable { var when: String? }
        var fields: [Row]
        var serverAnswers: [Answer]
        var clientRules: [String]
    }

    @Test(
        "carry idempotency keys, and retries follow the draft",
        .tags(.vectors),
        .vectors("http-fields")
    )
    func idempotencyKey() throws {
        let file = try decode(Keys.self, "idempotency-key")
        var conformance = Conformance("idempotency-key")

        for row in file.fields {
            var headers: HTTP.Headers = ["Idempotency-Key": row.value]
            conformance.note(headers.idempotencyKey == row.key, row.value)
            guard let key = row.key else { continue }
            headers.idempotencyKey = key
            conformance.note(headers["Idempotency-Key"] == row.value, "written \(row.value)")
        }
        for (row, status, sends) in zip3(file.serverAnswers, [400, 409, 422, 503], [1, 2, 1, 2]) {
            conformance.note(try self.sends(after: status) == sends, row.when ?? "another status")
        }
        // One key for each operation, none used twice, random: the rules the interceptor keeps.
        let keys = try [sent(after: [503, 503]), sent(after: [200])]
        conformance.note(Set(keys[0]).count == 1 && keys[0].count == 3, "the same on each retry")
        conformance.note(keys[0].first != keys[1].first, "another for another operation")
        conformance.note(keys[0].first?.count == 38, "a random value")

        print(conformance.summary)
        expectEqual(conformance.failures, [])
        expectEqual(conformance.passed, 14)
    }

    private func sends(after status: Int) throws -> Int { try sent(after: [status]).count }

    private func sent(after statuses: [Int]) throws -> [String] {
        let seed = UInt64(statuses.count)
        return try Simulation.run(seed: seed) { simulation in
            let answers = statuses.map { ScriptStep<HTTP.Request>.status(HTTP.Status($0)) }
            let transport = ScriptedTransport<HTTP.Request>(replies: answers + [.status(200)])
            let client = try simulation.client(transport) {
                IdempotencyKeyInterceptor()
                RetryInterceptor(policy: .steady)
            }
            _ = try await client.send(.post(orders, body: "tea"))
            return transport.sent.map { $0.input.headers["Idempotency-Key"] ?? "" }
        }
    }

    private func zip3(
        _ rows: [Keys.Answer],
        _ statuses: [Int],
        _ sends: [Int]
    ) -> [(Keys.Answer, Int, Int)] {
        zip(rows, zip(statuses, sends)).map { ($0, $1.0, $1.1) }
    }

    private func decode<File: Decodable>(_ type: File.Type, _ name: String) throws -> File {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Vectors.data("http-fields/\(name).json"))
    }

    private func seconds(_ text: String) -> Double? {
        HTTP.date(text, now: now)?.timeIntervalSince1970
    }

    private func date(_ text: String?) -> Date? {
        text.flatMap { try? Date($0, strategy: .iso8601) }
    }

    private func wait(_ value: String, at date: Date) -> Duration? {
        let headers: HTTP.Headers = ["Retry-After": value]
        return headers.retryAfter(date: date)
    }
}

extension Calendar {
    fileprivate static var utc: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }
}
