import Testing

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CacheRules")
struct CacheRulesTests {
    /// What a response of the year 2000 with these fields is good for, some seconds later.
    struct Row: Sendable, CustomTestStringConvertible {
        var response: HTTP.Headers
        var later: Double
        var request: HTTP.Headers = [:]
        var scope = CachePolicy.Scope.private
        var status: HTTP.Status = 200
        var url = "https://a.example/"
        var expected: String

        var testDescription: String {
            let fields = response.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
            return "\(fields) after \(later) s is \(expected)"
        }
    }

    static let year2000 = Date(timeIntervalSince1970: 946_684_800)

    static let rows: [Row] = [
        Row(response: ["Cache-Control": "max-age=10"], later: 9.9, expected: "serve"),
        Row(response: ["Cache-Control": "max-age=10"], later: 10, expected: "validate"),
        Row(response: ["Cache-Control": "max-age=10", "Age": "5"], later: 5, expected: "validate"),
        Row(response: ["Cache-Control": "max-age=10", "Age": "5"], later: 4, expected: "serve"),
        Row(
            response: ["Cache-Control": "max-age=99999999999999999999"],
            later: 1e12,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=9", "Age": "99999999999999999999"],
            later: 0,
            expected: "validate"
        ),
        Row(
            response: ["Date": "Fri, 31 Dec 1999 23:59:00 GMT", "Cache-Control": "max-age=30"],
            later: 0,
            expected: "validate"
        ),
        Row(response: ["Expires": "Sat, 01 Jan 2000 00:01:00 GMT"], later: 59, expected: "serve"),
        Row(
            response: ["Expires": "Sat, 01 Jan 2000 00:01:00 GMT"],
            later: 60,
            expected: "validate"
        ),
        Row(response: ["Expires": "0"], later: 0, expected: "validate"),
        Row(
            response: ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
            later: 2e11,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=9", "Expires": "0"],
            later: 8,
            expected: "serve"
        ),
        // A tenth of ten hours.
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 3599,
            expected: "serve"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 3600,
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Sun, 31 Dec 1950 14:00:00 GMT"],
            later: 86_400,
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 1,
            url: "https://a.example/?q",
            expected: "validate"
        ),
        Row(
            response: ["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"],
            later: 1,
            status: 599,
            expected: "validate"
        ),
        Row(
            response: [
                "Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT", "Cache-Control": "public",
            ],
            later: 1,
            status: 599,
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, s-maxage=99"],
            later: 50,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, s-maxage=99"],
            later: 50,
            scope: .shared,
            expected: "serve"
        ),
        Row(response: ["Cache-Control": "max-age=10, no-cache"], later: 0, expected: "validate"),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 0,
            request: ["Cache-Control": "no-cache"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 0,
            request: ["Cache-Control": "no-store"],
            expected: "forward"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 5,
            request: ["Cache-Control": "max-age=5"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 4,
            request: ["Cache-Control": "max-age=5"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 4,
            request: ["Cache-Control": "min-fresh=7"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 3,
            request: ["Cache-Control": "min-fresh=7"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "max-stale=10"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 21,
            request: ["Cache-Control": "max-stale=10"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, must-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, proxy-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, proxy-revalidate"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            scope: .shared,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "s-maxage=10"],
            later: 20,
            request: ["Cache-Control": "max-stale"],
            scope: .shared,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "only-if-cached"],
            expected: "refuse"
        ),
        Row(
            response: ["Cache-Control": "max-age=10"],
            later: 20,
            request: ["Cache-Control": "only-if-cached, max-stale"],
            expected: "serve"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 15,
            expected: "serve and revalidate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 15.1,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5, must-revalidate"],
            later: 12,
            expected: "validate"
        ),
        Row(
            response: ["Cache-Control": "max-age=10, stale-while-revalidate=5"],
            later: 12,
            request: ["Cache-Control": "max-age=99"],
            expected: "validate"
        ),
        Row(response: ["Cache-Control": "max-age=10"], later: -4, expected: "serve"),
        Row(response: ["Cache-Control": "max-age=10"], later: -6, expected: "validate"),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": "de"],
            expected: "forward"
        ),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": "de", "Cache-Control": "only-if-cached"],
            expected: "refuse"
        ),
        Row(
            response: ["Cache-Control": "max-age=10", "Vary": "Accept-Language"],
            later: 0,
            request: ["Accept-Language": " FR ,en"],
            expected: "serve"
        ),
    ]

    @Test("what is stored answers as long as RFC 9111 lets it", arguments: rows)
    func answers(row: Row) {
        let rules = CacheRules(policy: CachePolicy(scope: row.scope))
        let stored = StoredResponse(
            id: 1,
            key: CacheKey(url: row.url),
            selection: CacheSelection.selectors(
                of: ["Accept-Language": "en, fr"],
                for: row.response
            ),
            status: row.status,
            headers: row.response,
            requestDate: Self.year2000,
            responseDate: Self.year2000
        )
        let request = CacheRequest(.get("https://a.example/", headers: row.request))

        let answer = rules.answer(request, [stored], now: Self.year2000 + row.later)

        #expect(answer.word == row.expected)
    }

    @Test(
        "a response is stored if its fields let it",
        arguments: [
            ("max-age=10", 200, true), ("max-age=10, no-store", 200, false),
            ("max-age=10, no-store, must-understand", 200, true),
            ("max-age=10, must-understand", 599, false), ("max-age=10", 599, true),
            ("max-age=0", 200, false), ("no-cache", 200, false), ("", 200, false),
            ("private, max-age=10", 200, true), ("max-age=0, stale-if-error=5", 200, true),
        ]
    )
    func stores(control: String, status: Int, expected: Bool) {
        let rules = CacheRules(policy: CachePolicy())
        let stored = response(["Cache-Control": control], HTTP.Status(status))

        #expect((rules.refusal(of: stored, for: .get("https://a.example/")) == nil) == expected)
    }

    @Test("a validator makes useful what has no lifetime, where the status lets it be stored")
    func validators() {
        let rules = CacheRules(policy: CachePolicy())
        let request = HTTP.Request.get("https://a.example/")
        func isStored(_ fields: HTTP.Headers, _ status: HTTP.Status = 200) -> Bool {
            rules.refusal(of: response(fields, status), for: request) == nil
        }

        #expect(isStored(["ETag": #""1""#]))
        #expect(isStored(["ETag": #""1""#, "Cache-Control": "no-cache"]))
        #expect(isStored(["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"]))
        #expect(!isStored(["ETag": #""1""#], 403))
        #expect(isStored(["ETag": #""1""#, "Cache-Control": "public"], 403))
    }

    @Test("never stored: other methods, parts, what varies by everything or by too much")
    func obstacles() {
        let rules = CacheRules(policy: CachePolicy())
        func isStorable(
            _ method: HTTP.Method = .get,
            _ status: HTTP.Status = 200,
            _ fields: HTTP.Headers = [:]
        ) -> Bool {
            let response = HTTP.Response(status, headers: fields)
            return rules.obstacle(to: response, for: HTTP.Request(method, "/")) == nil
        }
        let names = (0..<33).map { "X-\($0)" }

        #expect(isStorable())
        #expect(isStorable(.get, 200, ["Vary": names.dropLast().joined(separator: ", ")]))
        #expect(!isStorable(.get, 200, ["Vary": names.joined(separator: ", ")]))
        #expect(!isStorable(.get, 200, ["Vary": "Accept, *"]))
        #expect(!isStorable(.post))
        #expect(!isStorable(.head))
        #expect(![206, 304, 100].contains { isStorable(.get, $0) })
    }

    @Test("a thing that changed takes what it names on its own origin along, and nothing else")
    func invalidation() {
        let rules = CacheRules(policy: CachePolicy())
        func urls(_ method: HTTP.Method, _ status: HTTP.Status, _ fields: HTTP.Headers) -> [String]
        {
            rules.invalidated(
                by: HTTP.Request(method, "https://A.example:443/b/c?d#e"),
                HTTP.Response(status, headers: fields)
            )
        }

        #expect(urls(.post, 200, [:]) == ["https://a.example/b/c?d"])
        #expect(urls(.put, 301, [:]) == ["https://a.example/b/c?d"])
        #expect(urls("LOCK", 200, [:]) == ["https://a.example/b/c?d"])
        #expect(urls(.delete, 404, [:]).isEmpty)
        #expect(urls(.post, 503, [:]).isEmpty)
        #expect(urls(.options, 200, [:]).isEmpty)
        #expect(
            urls(.post, 201, ["Location": "x", "Content-Location": "https://a.example/y"])
                == ["https://a.example/b/c?d", "https://a.example/b/x", "https://a.example/y"]
        )
        #expect(urls(.post, 201, ["Location": "https://b.example/x"]).count == 1)
        #expect(urls(.post, 201, ["Location": "http://a.example/x"]).count == 1)
    }

    @Test("of several that match, the one that the origin made last answers")
    func latest() {
        let rules = CacheRules(policy: CachePolicy())
        let stored = (1...3).map { id in
            StoredResponse(
                id: UInt64(id),
                key: CacheKey(url: "https://a.example/"),
                status: 200,
                headers: [
                    "Cache-Control": "max-age=99",
                    "Date": HTTP.text(for: Self.year2000 - Double(abs(id - 2))),
                ],
                requestDate: Self.year2000,
                responseDate: Self.year2000
            )
        }
        let request = CacheRequest(.get("https://a.example/"))

        guard case .serve(let chosen, _) = rules.answer(request, stored, now: Self.year2000) else {
            Issue.record("not served")
            return
        }
        #expect(chosen.id == 2)
    }

    private func response(_ fields: HTTP.Headers, _ status: HTTP.Status) -> StoredResponse {
        StoredResponse(
            id: 1,
            key: CacheKey(url: "https://a.example/"),
            status: status,
            headers: fields,
            requestDate: Self.year2000,
            responseDate: Self.year2000
        )
    }
}

extension CacheRules.Answer {
    fileprivate var word: String {
        switch self {
        case .forward: "forward"
        case .serve: "serve"
        case .serveAndRevalidate: "serve and revalidate"
        case .validate: "validate"
        case .refuse: "refuse"
        }
    }
}
