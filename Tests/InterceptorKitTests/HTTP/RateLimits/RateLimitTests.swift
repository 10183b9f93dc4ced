import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite("HTTP.RateLimit and HTTP.QuotaPolicy")
struct RateLimitTests {
    @Test("are read from their fields, with or without optional parameters")
    func reading() {
        let headers: HTTP.Headers = [
            "RateLimit": #""a";r=50;t=30, "b";r=0"#,
            "RateLimit-Policy": #""a";q=100;w=60;qu="content-bytes";x=1"#,
        ]

        expectEqual(headers.rateLimits.map(\.name), ["a", "b"])
        expectEqual(headers.rateLimits.map(\.remaining), [50, 0])
        expectEqual(headers.rateLimits.map(\.resetsIn), [.seconds(30), nil])
        expectEqual(headers.quotaPolicies.map(\.quota), [100])
        expectEqual(headers.quotaPolicies.map(\.window), [.seconds(60)])
        expectEqual(headers.quotaPolicies.map(\.unit), ["content-bytes"])
    }

    @Test("are read as draft-ietf-httpapi-ratelimit-headers shows them")
    func published() {
        let headers: HTTP.Headers = [
            "RateLimit": #""default";r=999;pk=:dHJpYWwxMjEzMjM=:"#,
            "RateLimit-Policy": #""burst";q=100;w=60,"daily";q=1000;w=86400"#,
        ]

        expectEqual(
            headers.limitItems,
            [["default", "999", "-1", "", "\(Array("trial121323".utf8))"]]
        )
        expectEqual(
            headers.policyItems,
            [
                ["burst", "100", "60", "requests", "[]"],
                ["daily", "1000", "86400", "requests", "[]"],
            ]
        )
    }

    @Test(
        "are empty when any part of the field is malformed",
        arguments: [
            #""a";r=1, quota;r=1"#, #""a""#, #""a";r=-1"#, #""a";r=1.5"#, #""a";r="1""#,
            #""a";r=1;t=-1"#, #""a";r=1;t=x"#, #""a";r=1;pk=x"#, #""a;r=1"#, "", #"("a");r=1"#,
        ]
    )
    func malformed(text: String) {
        expectTrue(HTTP.Headers([("RateLimit", text)]).rateLimits.isEmpty)
    }

    @Test(
        "agree with the published vectors",
        .tags(.vectors),
        .vectors("http-fields/ratelimit.json")
    )
    func conformance() throws {
        let file = try JSONDecoder().decode(
            File.self,
            from: Vectors.data("http-fields/ratelimit.json")
        )
        var conformance = Conformance("ratelimit")

        for row in file.fields {
            let headers = HTTP.Headers(row.values.map { (row.field, $0) })
            let items = row.field == "RateLimit" ? headers.limitItems : headers.policyItems
            conformance.note(items == (row.expected ?? []).map(\.comparable), row.id)
        }
        for row in file.responses {
            let headers = HTTP.Headers(row.headers.map { ($0[0], $0[1]) })
            let date = headers["Date"].flatMap { HTTP.date($0, now: Date()) } ?? Date()
            let hint = HTTP.Response(HTTP.Status(row.status), headers: headers)
                .rateHint(date: date)
            conformance.note(hint == row.wait.map { .pause(.seconds($0)) }, row.id)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
    }
}

private struct File: Decodable {
    struct Field: Decodable {
        var id: String
        var field: String
        var values: [String]
        var expected: [Expected]?
    }

    struct Answer: Decodable {
        var id: String
        var status: Int
        var headers: [[String]]
        var wait: Int?

        enum CodingKeys: String, CodingKey {
            case id, status, headers
            case wait = "expected_wait_s"
        }
    }

    var fields: [Field]
    var responses: [Answer]
}

private struct Expected: Decodable {
    var name: String
    var r: Int?
    var t: Int?
    var q: Int?
    var w: Int?
    var qu: String?
    var pk_base64: String?
    var pk_utf8: String?

    var comparable: [String] {
        // The vectors have the text with its padding; what it stands for is compared.
        let partition = pk_utf8.map { Array($0.utf8) } ?? pk_base64.flatMap(bytes(base64:))
        return [
            name, "\(r ?? q ?? -1)", "\(t ?? w ?? -1)", r == nil ? qu ?? "requests" : "",
            "\(partition ?? [])",
        ]
    }
}

extension HTTP.Headers {
    fileprivate var limitItems: [[String]] {
        rateLimits.map { item in
            [
                item.name, "\(item.remaining)", "\(item.resetsIn?.components.seconds ?? -1)", "",
                "\(item.partition ?? [])",
            ]
        }
    }

    fileprivate var policyItems: [[String]] {
        quotaPolicies.map { item in
            [
                item.name, "\(item.quota)", "\(item.window?.components.seconds ?? -1)", item.unit,
                "\(item.partition ?? [])",
            ]
        }
    }
}

// Bits that the padding stands for need not be zero, which Foundation's decoder may mind.
private func bytes(base64 text: String) -> [UInt8]? {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for digit in text where digit != "=" {
        guard let value = digits.firstIndex(of: digit) else { return nil }
        bits = (bits << 6 | value) & 0xFFFF
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
        }
    }
    return bytes
}
