import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("CacheRules")
struct CacheRulesTests {
    @Test("a stored response is reused as long as RFC 9111 allows", arguments: rows)
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

        let decision = rules.decision(request, [stored], now: Self.year2000 + row.later)

        expectEqual(decision.word, row.expected)
    }

    @Test(
        "a response is stored if its fields allow it",
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

        expectEqual((rules.refusal(of: stored, for: .get("https://a.example/")) == nil), expected)
    }

    @Test("a response without lifetime is stored with a validator, by status")
    func validators() {
        let rules = CacheRules(policy: CachePolicy())
        let request = HTTP.Request.get("https://a.example/")
        func isStored(_ fields: HTTP.Headers, _ status: HTTP.Status = 200) -> Bool {
            rules.refusal(of: response(fields, status), for: request) == nil
        }

        expectTrue(isStored(["ETag": #""1""#]))
        expectTrue(isStored(["ETag": #""1""#, "Cache-Control": "no-cache"]))
        expectTrue(isStored(["Last-Modified": "Fri, 31 Dec 1999 14:00:00 GMT"]))
        expectTrue(!isStored(["ETag": #""1""#], 403))
        expectTrue(isStored(["ETag": #""1""#, "Cache-Control": "public"], 403))
    }

    @Test("other methods, partial responses and broad Vary are never stored")
    func obstacles() {
        let rules = CacheRules(policy: CachePolicy())
        func isStorable(
            _ method: HTTP.Method = .get,
            _ status: HTTP.Status = 200,
            _ fields: HTTP.Headers = [:]
        ) -> Bool {
            let response = HTTP.Response(status, headers: fields)
            return rules.restriction(to: response, for: HTTP.Request(method, "/")) == nil
        }
        let names = (0..<33).map { "X-\($0)" }

        expectTrue(isStorable())
        expectTrue(isStorable(.get, 200, ["Vary": names.dropLast().joined(separator: ", ")]))
        expectTrue(!isStorable(.get, 200, ["Vary": names.joined(separator: ", ")]))
        expectTrue(!isStorable(.get, 200, ["Vary": "Accept, *"]))
        expectTrue(!isStorable(.post))
        expectTrue(!isStorable(.head))
        expectTrue(![206, 304, 100].contains { isStorable(.get, $0) })
    }

    @Test("a successful change invalidates URLs that it names on its own origin")
    func invalidation() {
        let rules = CacheRules(policy: CachePolicy())
        func urls(_ method: HTTP.Method, _ status: HTTP.Status, _ fields: HTTP.Headers) -> [String]
        {
            rules.invalidated(
                by: HTTP.Request(method, "https://A.example:443/b/c?d#e"),
                HTTP.Response(status, headers: fields)
            )
        }

        expectEqual(urls(.post, 200, [:]), ["https://a.example/b/c?d"])
        expectEqual(urls(.put, 301, [:]), ["https://a.example/b/c?d"])
        expectEqual(urls("LOCK", 200, [:]), ["https://a.example/b/c?d"])
        expectTrue(urls(.delete, 404, [:]).isEmpty)
        expectTrue(urls(.post, 503, [:]).isEmpty)
        expectTrue(urls(.options, 200, [:]).isEmpty)
        expectEqual(
            urls(.post, 201, ["Location": "x", "Content-Location": "https://a.example/y"]),
            ["https://a.example/b/c?d", "https://a.example/b/x", "https://a.example/y"]
        )
        expectEqual(urls(.post, 201, ["Location": "https://b.example/x"]).count, 1)
        expectEqual(urls(.post, 201, ["Location": "http://a.example/x"]).count, 1)
    }

    @Test("the most recently generated of several matching responses is used")
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

        guard case .serve(let chosen, _) = rules.decision(request, stored, now: Self.year2000)
        else {
            Issue.record("not served")
            return
        }
        expectEqual(chosen.id, 2)
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

extension CacheRules.Decision {
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
