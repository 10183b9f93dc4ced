import ConformanceReference
import Expectations
import InterceptorKit
import InterceptorKitConformance
import TestRun
import Testing

@Suite(
    "Requirements of uploads and downloads",
    .tags(.sockets),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct TransferRequirementTests {
    @Test(
        "a transport with a flaw fails the requirement that the flaw breaks",
        arguments: [
            (.takesAnyEndForTheBodysEnd, "never goes on from a weak validator, and leaves nothing"),
            (.collectsResponseBodies, "ends a cancelled download at once, and leaves nothing"),
            (
                .ignoresCancellationOfReaders,
                "ends a cancelled download at once, and leaves nothing"
            ),
            (.ignoresCancellation, "ends a cancelled upload at once"),
            (.oneAtATime, "cancels all of a client's transfers and leaves nothing of them"),
        ] as [(Flaw, String)]
    )
    func broken(flaw: Flaw, requirement: String) async {
        var failures: [String] = []
        // A cancellation that comes between two reads is heeded in spite of the flaw, so it may take a few.
        for _ in 0..<10 where failures.isEmpty {
            failures = await TransportConformance.run(
                TransportConformance.transferRequirements.filter { $0.name == requirement },
                as: "transfers broken",
                timeLimit: .seconds(2)
            ) { ReferenceTransport([flaw]) }.failures
        }

        expectEqual(failures, [requirement])
    }

    @Test("a transport that loses the last byte sent fails every kind of upload")
    func cutUploads() async {
        let uploads = [
            "uploads bytes", "uploads a file", "uploads a range of a file",
            "uploads a stream that can be made again", "uploads a stream of an unknown length",
        ]

        let report = await TransportConformance.run(
            TransportConformance.transferRequirements.filter { $0.name.hasPrefix("uploads ") },
            as: "transfers cut"
        ) { CuttingTransport() }

        expectEqual(report.failures, uploads)
        expectTrue(
            report.description.contains("The content is 499999 bytes instead of 500000 bytes.")
        )
    }
}

/// Sends all but the last byte of a body.
private struct CuttingTransport: Transport {
    typealias Input = HTTP.Request

    private let base = ReferenceTransport()

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var request = input
        let body = try await request.body.collect(upTo: 1 << 20)
        request.body = .bytes(body.dropLast())
        return try await base.send(request, call: call)
    }
}
