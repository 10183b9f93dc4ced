package import InterceptorKit
package import InterceptorKitConformance
import InterceptorKitTesting

/// The 39 conformance cases of swift-http-api-proposal (a7dad95), each under its own name, tried with our chain
/// above the transport where the proposal's client follows redirects, keeps cookies or caches.
package enum HTTPAPICases {
    package static let requirements = raw + messages + chains + bodies + streams

    /// Runs every case against a transport.
    package static func run(
        against name: String,
        excluding exclusions: [TransportConformance.Exclusion] = [],
        make: @escaping @Sendable () throws -> any Transport<HTTP.Request>
    ) async -> TransportConformance.Report {
        await TransportConformance.run(
            requirements,
            as: "http-api \(name)",
            excluding: exclusions + noFullDuplex,
            concurrency: 4,
            make: make
        )
    }

    // The loopback server reads a request before it answers, as the semantics of HTTP/1.1 allow it to.
    private static let noFullDuplex: [TransportConformance.Exclusion] = [
        .limitation(
            "testEchoInterleave",
            because:
                "A request's body that waits for the response needs a server which answers while it reads; "
                + "the loopback server does not.",
            seenOn: "LoopbackServer"
        ),
        .limitation(
            "testSpeakInterleave",
            because: "As testEchoInterleave.",
            seenOn: "LoopbackServer"
        ),
        .limitation(
            "testTrailerWrite",
            because:
                "Requests have no trailers here: neither URLSession nor libcurl sends them from Swift.",
            seenOn: "InterceptorKit"
        ),
    ]
}

extension TransportConformance.Requirement {
    /// A case that is excluded on every engine.
    static func untried(_ name: String) -> Self {
        Self(name) { _ in throw ExpectationFailure("It is not tried.") }
    }
}

extension ConformanceContext {
    /// Sends a GET and expects a failure, at the latest when the body has been read.
    nonisolated(nonsending) func expectFailure(_ reply: LoopbackServer.Reply) async throws {
        let server = try server(reply)
        _ = try await failure(of: "The call") { try await self.exchange(.get(server.url("/"))) }
    }
}
