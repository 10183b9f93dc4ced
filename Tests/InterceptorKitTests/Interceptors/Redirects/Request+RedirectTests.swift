import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What happens to method, body and fields, status by status (RFC 9110 section 15.4).
@Suite("HTTP.Request after a redirect")
struct RequestRedirectTests {
    struct Row: CustomStringConvertible, Sendable {
        let status: Int
        let method: String
        let next: String
        let keepsBody: Bool

        var description: String { "\(status) \(method)" }
    }

    // Of each status: method, the method that follows, + with the body or - without.
    private static let table: [(Int, String)] = [
        (301, "GET GET+ HEAD HEAD+ POST GET- PUT PUT+ PATCH PATCH+ DELETE DELETE+ QUERY QUERY+"),
        (302, "GET GET+ HEAD HEAD+ POST GET- PUT PUT+ PATCH PATCH+ DELETE DELETE+ QUERY QUERY+"),
        (303, "GET GET- HEAD HEAD- POST GET- PUT GET- PATCH GET- DELETE GET- QUERY GET-"),
        (307, "GET GET+ HEAD HEAD+ POST POST+ PUT PUT+ PATCH PATCH+ DELETE DELETE+ QUERY QUERY+"),
        (308, "GET GET+ HEAD HEAD+ POST POST+ PUT PUT+ PATCH PATCH+ DELETE DELETE+ QUERY QUERY+"),
    ]

    static let rows: [Row] = table.flatMap { status, text in
        let words = text.split(separator: " ").map(String.init)
        return stride(from: 0, to: words.count, by: 2).map { index in
            Row(
                status: status,
                method: words[index],
                next: String(words[index + 1].dropLast()),
                keepsBody: words[index + 1].hasSuffix("+")
            )
        }
    }

    private let fields: HTTP.Headers = [
        "Content-Type": "text/plain", "Content-Encoding": "identity",
        "Content-Digest": "sha-256=:x:",
        "Content-Language": "en", "Repr-Digest": "sha-256=:x:", "Content-Length": "4",
        "Trailer": "X-T", "Accept": "text/html", "X-Own": "own",
    ]

    private func sent(
        _ row: Row,
        to target: String,
        _ policy: RedirectPolicy = RedirectPolicy(),
        body: HTTP.Body = "text"
    ) async throws -> [ScriptedTransport<HTTP.Request>.Sent] {
        let transport = web([
            "https://a.example/1": .redirect(HTTP.Status(row.status), to: target)
        ])
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor(policy: policy) }
        let method = HTTP.Method(rawValue: row.method)
        _ = try await pipeline.run(
            HTTP.Request(method, "https://a.example/1", headers: fields, body: body)
        )
        return transport.sent
    }

    @Test("keeps or drops method, body and its fields within an origin", arguments: rows)
    func sameOrigin(row: Row) async throws {
        let last = try await unwrap(sent(row, to: "/2").last)

        expectEqual(last.input.method.rawValue, row.next)
        expectEqual(last.input.body.inMemory, Data((row.keepsBody ? "text" : "").utf8))
        let names = last.input.headers.map(\.name)
        expectEqual(names, (row.keepsBody ? fields.map(\.name) : ["Accept", "X-Own"]))
    }

    @Test("never sends a body to another origin unless allowed", arguments: rows)
    func otherOrigin(row: Row) async throws {
        var open = RedirectPolicy()
        open.sendsBodiesAcrossOrigins = true
        var trusting = RedirectPolicy()
        trusting.trustedOrigins = ["https://b.example"]

        let refused: RedirectError?
        do {
            let last = try await unwrap(sent(row, to: "https://b.example/2").last)
            expectEqual(last.input.method.rawValue, row.next)
            expectTrue(last.input.body.isEmpty)
            expectEqual(last.input.headers.map(\.name), ["Accept"])
            refused = nil
        } catch let error as RedirectError {
            refused = error
        }
        let opened = try await sent(row, to: "https://b.example/2", open).last?.input
        let trusted = try await sent(row, to: "https://b.example/2", trusting).last?.input

        expectEqual(refused?.code, (row.keepsBody ? .bodyAcrossOrigins : nil))
        expectEqual(opened?.body.inMemory, Data((row.keepsBody ? "text" : "").utf8))
        expectEqual(opened?.headers.contains("X-Own"), false)
        expectEqual(trusted?.body.inMemory, opened?.body.inMemory)
        expectEqual(trusted?.headers.contains("X-Own"), true)
    }

    @Test("never sends a one-shot body twice, nor an empty one in its place", arguments: rows)
    func oneShot(row: Row) async throws {
        var code: RedirectError.Code?
        do {
            let body = HTTP.Body.oneShot(length: 4, CountingStream(chunks: 0))
            let last = try await unwrap(sent(row, to: "/2", body: body).last)
            expectTrue(last.input.body.isEmpty)
        } catch let error as RedirectError {
            code = error.code
        }

        expectEqual(code, (row.keepsBody ? .bodyCannotBeSentAgain : nil))
    }
}
