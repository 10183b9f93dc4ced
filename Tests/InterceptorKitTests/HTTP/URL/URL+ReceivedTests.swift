import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("HTTP.URL, received")
struct URLReceivedTests {
    private struct Reference: Decodable {
        let input: String
        let base: String?
        let href: String?
        let failure: Bool?

        /// Where a browser goes for this `Location`; `nil` if it goes nowhere, or not by HTTP.
        var destination: String? { href.flatMap { Self.isHTTP($0) ? $0 : nil } }

        /// What may be sent by these fields: a complete reference, or one of a base without a password.
        var isLocation: Bool {
            !input.unicodeScalars.contains { $0 == "\0" || $0 == "\r" || $0 == "\n" }
                && Self.isHTTP(base ?? input) && base?.contains("@") != true
        }

        /// A base of its own for a complete reference, of the other scheme, so that nothing is taken from it.
        var source: String {
            base ?? (input.lowercased().hasPrefix("https") ? "http" : "https") + "://base.invalid/"
        }

        private static func isHTTP(_ text: String) -> Bool {
            ["http:", "https:"].contains { text.lowercased().hasPrefix($0) }
        }
    }

    /// Why what a browser follows is refused, by the error's words. `RedirectsAndCookies` says the same.
    private static let refusals = [
        "ends with a number": "an IPv4 address that is not four numbers",
        "no host name has": "a character that no host name has, encoded or not",
        "has a percent-encoded": "a character that no host name has, encoded or not",
        "it is empty": "an empty Location",
    ]

    private func target(of reference: Reference) async throws -> HTTP.URL? {
        let visits = Recorder<HTTP.URL>()
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            visits.note(request.url)
            return visits.entries.count == 1 ? .redirect(to: reference.input) : HTTP.Response()
        }
        var policy = RedirectPolicy()
        policy.allowsRepeats = true
        policy.allowsDowngrade = true
        let pipeline = try Pipeline(transport: transport) { [policy] in
            RedirectInterceptor(policy: policy)
        }

        return try await pipeline.run(.get(HTTP.URL(unvalidated: reference.source))).redirects.last?
            .target
    }

    @Test(
        "leads where browsers go, or is refused",
        .tags(.vectors),
        .vectors("url/references.json")
    )
    func browsers() async throws {
        let all = try JSONDecoder().decode(
            [Reference].self,
            from: Vectors.data("url/references.json")
        )
        var conformance = Conformance("url-whatwg")
        var refused: [String: [String]] = [:]

        for reference in all where reference.isLocation {
            let destination = reference.destination.map { HTTP.URL(received: $0).normalized }
            do {
                let target = try await target(of: reference)?.normalized
                if target?.host?.hasPrefix("[") == true, destination?.host?.hasPrefix("[") == true {
                    conformance.note(
                        target?.requestTarget == destination?.requestTarget,
                        reference.input
                    )
                } else {
                    let texts = [target, destination].map {
                        $0.map { PercentEncoding.decode($0.text) }
                    }
                    conformance.note(
                        texts[0] == texts[1],
                        "\(reference) leads to \(texts[0] ?? "nowhere")"
                    )
                }
            } catch let error as RedirectError {
                let reason = Self.refusals.first { error.message.contains($0.key) }?.value
                if let destination {
                    guard let reason else {
                        conformance.note(false, "\(destination) is refused: \(error.message)")
                        continue
                    }
                    refused[reason, default: []].append(reference.input)
                    conformance.skip()
                } else {
                    conformance.note(true, "")
                }
            }
        }

        print(conformance.summary)
        for (reason, inputs) in refused.sorted(by: { $0.key < $1.key }) {
            print(
                "conformance url-whatwg refused, \(reason): \(inputs.map(HTTP.printable).joined(separator: " "))"
            )
        }
        expectEqual(conformance.failures.prefix(40), [])
    }
}
