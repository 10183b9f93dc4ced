import ConformanceReference
import Foundation
import InterceptorKit

@testable import InterceptorKitConformance

extension Mutant {
    static let requests: [Mutant] = [
        .sent("sends every method as TRACE") { $0.method = "TRACE" },
        .sent("raises methods to capitals") {
            $0.method = HTTP.Method(rawValue: $0.method.rawValue.uppercased())
        },
        .sent("sends unknown methods as GET") {
            if $0.method == "PURGE" { $0.method = .get }
        },
        .sent("gives GET a body") { if $0.method == .get { $0.body = "{}" } },
        .sent("drops the query") { $0.url = HTTP.URL(unvalidated: beforeQuery($0.url.text)) },
        .sent("doubles the slash of an empty path") {
            if $0.url.path.isEmpty { $0.url = HTTP.URL(unvalidated: $0.url.text + "//") }
        },
        .sent("writes percent-encoding in capitals") { request in
            request.url = HTTP.URL(
                unvalidated:
                    request.url.text.replacing(#/%[0-9a-f]{2}/#) { "\($0.output)".uppercased() }
            )
        },
        .sent("encodes what need not be encoded") {
            $0.url = HTTP.URL(unvalidated: $0.url.text.replacing("+", with: "%2B"))
        },
        .sent("encodes brackets") {
            $0.url = HTTP.URL(unvalidated: $0.url.text.replacing("[", with: "%5B"))
        },
        .sent("removes empty segments") {
            let text = $0.url.text
            $0.url = HTTP.URL(
                unvalidated: "http://" + text.dropFirst(7).replacing(#/\/+/#, with: "/")
            )
        },
        .sent("removes dot segments") { request in
            let text = request.url.text.replacing(#/%2[eE]/#, with: ".")
            request.url = HTTP.URL(unvalidated: text).resolved(against: request.url)
        },
        .sent("drops an empty query") {
            if $0.url.query == "" { $0.url = HTTP.URL(unvalidated: beforeQuery($0.url.text)) }
        },
        .sent("sorts the query") { request in
            guard let query = request.url.query else { return }
            let sorted = query.split(separator: "&").sorted().joined(separator: "&")
            request.url = HTTP.URL(unvalidated: beforeQuery(request.url.text) + "?" + sorted)
        },
        .sent("drops items without a value") {
            $0.url = HTTP.URL(unvalidated: $0.url.text.replacing("?x=", with: ""))
        },
        .sent("cuts long targets") {
            $0.url = HTTP.URL(unvalidated: String($0.url.text.prefix(1_000)))
        },
        Mutant("sends the fragment", .sendsFragment),
        Mutant("connects to the URL's host alone", .ignoresAddress),
        Mutant("uses connections of other addresses", .sharesConnectionsOfAddresses),
        Mutant("leaves the port out of Host", .omitsPort),
        Mutant("sends without checking", .sendsWithoutChecking),
        .sent("keeps the last of repeated fields") { request in
            for name in Set(request.headers.map(\.name)) {
                request.headers[name] = request.headers.values(name).last
            }
        },
        .sent("cuts long values") { request in
            request.headers = mapped(request.headers) { String($0.prefix(4_000)) }
        },
        .sent("sends at most a hundred fields") {
            $0.headers = HTTP.Headers($0.headers.prefix(100).map { ($0.name, $0.value) })
        },
        .sent("sends ASCII alone") { request in
            request.headers = mapped(request.headers) { $0.filter(\.isASCII) }
        },
        .sent("removes quotes from values") { request in
            request.headers = mapped(request.headers) { $0.replacing("\"", with: "") }
        },
        .sent("replaces credentials") {
            $0.headers["Authorization"] = "Basic eDp5"
            $0.headers["Cookie"] = "session=1"
        },
        .sent("calls every body a form") {
            if !$0.body.isEmpty { $0.headers["Content-Type"] = "application/x-www-form-urlencoded" }
        },
        .sent("speaks for itself") {
            $0.headers["User-Agent"] = "Itself/1"
            $0.headers["Accept-Language"] = "en"
        },
        .sent("asks for gzip whatever the caller wants") {
            $0.headers["Accept-Encoding"] = "gzip"
        },
        .delivered("forgets what was sent") { $0.request = nil },
        .sent("sends half of the body") { request in
            if let body = request.body.inMemory {
                request.body = .bytes(body.prefix(body.count / 2))
            }
        },
        .sent("cuts large bodies") { request in
            let body = try await request.body.collect(upTo: 64 << 20)
            request.body = .bytes(body.prefix(65_536))
        },
        .sent("sends bodies as text") { request in
            if let body = request.body.inMemory {
                request.body = .text(String(decoding: body, as: UTF8.self))
            }
        },
        .sent("drops the body of DELETE") { if $0.method == .delete { $0.body = .empty } },
        .sent("drops streams") { if $0.body.inMemory == nil { $0.body = .empty } },
        .sent("makes a stream twice") { request in
            if request.body.isReplayable, request.body.inMemory == nil {
                _ = try await request.body.collect()
            }
        },
        .sent("ends a body where its stream fails") { request in
            guard request.body.inMemory == nil else { return }
            var seen = Data()
            do {
                for try await chunk in request.body { seen += chunk }
            } catch {}
            request.body = .bytes(seen)
        },
        .sent("sends something for nothing") { if $0.body.inMemory == nil { $0.body = "null" } },
        .sent("sends whole files") {
            if let file = $0.body.file { $0.body = .file(file.path) }
        },
        Mutant("sends known lengths in chunks", .sendsKnownLengthsInChunks),
        Mutant("states no length of an empty body", .omitsLengthOfEmptyBodies),
        Mutant("collects a body before it sends it", .collectsRequestBodies, hangs: true),
        Mutant("sends the body of one upload for all") { request, call, next in
            var changed = request
            if (request.body.length ?? 0) > 400_000, request.url.query != nil {
                changed.body = .bytes(Data(repeating: 0, count: request.body.length ?? 0))
            }
            return try await next(changed, call)
        },
    ]

    private static func beforeQuery(_ text: String) -> String {
        String(text.prefix { $0 != "?" })
    }

    private static func mapped(
        _ headers: HTTP.Headers,
        _ change: (String) -> String
    ) -> HTTP.Headers {
        HTTP.Headers(headers.map { ($0.name, change($0.value)) })
    }
}
