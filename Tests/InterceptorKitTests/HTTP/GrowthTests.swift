import Expectations
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching
@testable import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a server can make long costs a time that grows with its length.
@Suite("The cost of long input from a server", .processorBound, .serialized)
struct GrowthTests {
    // A quarter of what the square would be, and three times what is expected.
    private static let most = 24.0

    private static func distinct(_ count: Int) -> HTTP.Headers {
        HTTP.Headers((0..<count).map { ("x-name-\($0)", "value") })
    }

    private static func names(_ count: Int) -> String {
        (0..<count).map { "x-name-\($0)" }.joined(separator: ",")
    }

    @Test("is linear in field lines of one name")
    func lines() async throws {
        let growth = try await growth(from: 4000) { count in
            let headers = HTTP.Headers((0..<count).map { _ in ("Vary", "a value of some length") })
            return {
                var changed = headers
                changed["Vary"] = headers["Vary"]
            }
        }

        expectTrue(growth < Self.most)
    }

    @Test("is linear in cookies", arguments: ["https", "http"])
    func cookies(scheme: String) async throws {
        let url = HTTP.URL("\(scheme)://a.example/")
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        let growth = try await growth(from: 500) { count in
            let jar = CookieJar()
            let cookies = (0..<count).compactMap { HTTP.Cookie("c\($0)=1", from: url, at: date) }
            return { jar.store(cookies, from: url, at: date) }
        }

        expectTrue(growth < Self.most)
    }

    @Test("is linear in the fields that a stored response drops or updates")
    func storedFields() async throws {
        let rules = CacheRules(policy: CachePolicy())
        let growth = try await growth(from: 200) { count in
            var headers = Self.distinct(count)
            headers.append(name: "Connection", value: Self.names(count))
            let others = Self.distinct(count)
            return {
                _ = rules.storedFields(of: headers)
                var changed = others
                changed.merge(headers, .replaceExisting)
            }
        }

        expectTrue(growth < Self.most)
    }

    @Test("is linear in the chunks of a body that was peeked at")
    func seenBody() async throws {
        let growth = try await growth(from: 8000) { count in
            let reader = BodyReader(
                EmptyStream.shared,
                after: Array(repeating: Data([1]), count: count)
            )
            return { while try await reader.next() != nil {} }
        }

        expectTrue(growth < Self.most)
    }

    @Test("is linear in the components of a signature and canonical text")
    func signatures() async throws {
        let growth = try await growth(from: 100) { count in
            let headers = HTTP.Headers(Self.distinct(count).reversed().map { ($0.name, $0.value) })
            let request = HTTP.Request.get("https://a.example/", headers: headers)
            let parameters = SignatureParameters(headers.map { .field($0.name) })
            return {
                _ = try SignatureBase(of: .request(request), parameters)
                _ = CanonicalFields(of: request, .all, host: nil)
            }
        }

        expectTrue(growth < Self.most)
    }
}
