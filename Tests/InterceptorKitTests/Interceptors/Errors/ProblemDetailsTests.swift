import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("ProblemDetails")
struct ProblemDetailsTests {
    @Test(
        "agree with the published vectors",
        .tags(.vectors),
        .vectors("http-fields/problem-details.json")
    )
    func conformance() throws {
        let file = try JSONDecoder().decode(
            File.self,
            from: Vectors.data("http-fields/problem-details.json")
        )
        var conformance = Conformance("problem-details")

        for row in file.cases {
            let request = row.base_uri.map { HTTP.Request(.get, HTTP.URL(unvalidated: $0)) }
            let response = HTTP.Response(
                HTTP.Status(row.status),
                headers: ["Content-Type": row.content_type],
                body: .text(row.body),
                request: request
            )
            let error = try failure(.reply(response))
            let isRight =
                error.status.code == row.status && error.problem.map(Expected.init) == row.expected
                && error.code == (row.expected == nil ? .status : .problem)
            conformance.note(isRight, row.id)
        }

        print(conformance.summary)
        expectEqual(conformance.failures, [])
    }

    @Test("are read beside a number and a text that cannot be said")
    func unspeakable() throws {
        let text = #"{"title":"Full","balance":1e400,"debt":-1e400,"note":"a\ud83db","n":"\udc00"}"#
        let response = HTTP.Response(
            409,
            headers: ["Content-Type": "application/problem+json"],
            body: .text(text)
        )

        let problem = try unwrap(failure(.reply(response)).problem)

        expectEqual(problem.title, "Full")
        expectEqual(problem.extensions["balance"], .number(.greatestFiniteMagnitude))
        expectEqual(problem.extensions["debt"], .number(-.greatestFiniteMagnitude))
        expectEqual(problem.extensions["note"], .string("a\u{FFFD}b"))
        expectEqual(problem.extensions["n"], .string("\u{FFFD}"))
    }

    @Test("are read as RFC 9457 section 3 shows them")
    func published() throws {
        func problem(_ url: HTTP.URL, _ status: HTTP.Status, _ text: String) throws
            -> HTTP.ProblemDetails
        {
            let response = HTTP.Response(
                status,
                headers: ["Content-Type": "application/problem+json"],
                body: .text(text),
                request: HTTP.Request(.get, url)
            )
            return try unwrap(failure(.reply(response)).problem)
        }

        func values(_ text: String) throws -> [String: JSONValue] {
            try JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        }

        let credit = try problem(
            "https://store.example.com/purchase",
            403,
            """
            {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
             "detail": "Your current balance is 30, but that costs 50.",
             "instance": "/account/12345/msgs/abc",
             "balance": 30, "accounts": ["/account/12345", "/account/67890"]}
            """
        )
        let invalid = try problem(
            "https://account.example.com/details",
            422,
            """
            {"type": "https://example.net/validation-error", "title": "Your request is not valid.",
             "errors": [{"detail": "must be a positive integer", "pointer": "#/age"},
                        {"detail": "must be 'green', 'red' or 'blue'", "pointer": "#/profile/color"}]}
            """
        )

        expectEqual(credit.type, "https://example.com/probs/out-of-credit")
        expectEqual(credit.title, "You do not have enough credit.")
        expectEqual(credit.detail, "Your current balance is 30, but that costs 50.")
        expectEqual(credit.instance, "https://store.example.com/account/12345/msgs/abc")
        let creditExtensions = #"{"balance": 30, "accounts": ["/account/12345", "/account/67890"]}"#
        try expectEqual(credit.extensions, values(creditExtensions))
        expectEqual(invalid.type, "https://example.net/validation-error")
        let invalidExtensions = """
            {"errors": [{"detail": "must be a positive integer", "pointer": "#/age"},
                        {"detail": "must be 'green', 'red' or 'blue'", "pointer": "#/profile/color"}]}
            """
        try expectEqual(invalid.extensions, values(invalidExtensions))
    }

    @Test("give the service's message: the detail, or else the title")
    func serviceMessage() throws {
        func message(_ text: String) throws -> String? {
            let type: HTTP.Headers = ["Content-Type": "application/problem+json"]
            return try failure(.json(text, status: 400, headers: type)).serviceMessage
        }

        try expectEqual(message(#"{"title":"A","detail":"B"}"#), "B")
        try expectEqual(message(#"{"title":"A"}"#), "A")
        try expectEqual(message("{}"), nil)
    }
}

private struct File: Decodable {
    struct Case: Decodable {
        var id: String
        var status: Int
        var content_type: String
        var body: String
        var base_uri: String?
        var expected: Expected?
    }

    var cases: [Case]
}

private struct Expected: Decodable, Equatable {
    var type: String
    var title: String?
    var status: Int?
    var detail: String?
    var instance: String?
    var extensions: [String: JSONValue]?

    init(_ problem: HTTP.ProblemDetails) {
        type = problem.type
        title = problem.title
        status = problem.status
        detail = problem.detail
        instance = problem.instance
        extensions = problem.extensions.isEmpty ? nil : problem.extensions
    }
}
