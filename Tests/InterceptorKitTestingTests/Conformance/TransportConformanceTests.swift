import ConformanceReference
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitConformance

/// The name that the documentation gives to a reader's transport.
private typealias MyTransport = ReferenceTransport

@Suite("TransportConformance", .tags(.sockets), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct TransportConformanceTests {
    @Test("a correct transport passes every requirement, each listed once")
    func correct() async {
        let report = await TransportConformance.run(against: "MyTransport") { MyTransport() }
        print(report)
        #expect(report.isConformant)
        #expect(report.skipped.isEmpty)
        #expect(report.results.count >= 80)
        #expect(Set(report.results.map(\.requirement)).count == report.results.count)
        #expect(report.description.hasSuffix(report.summary))
    }

    @Test("finds a transport that takes what its proxy says for the host's word")
    func proxies() async {
        let report = await TransportConformance.run(
            TransportConformance.Requirement.proxies { proxy in
                Taken(proxy: HTTP.ConnectAddress(host: "127.0.0.1", port: proxy.port ?? 0))
            },
            as: "transport test"
        ) { ReferenceTransport() }

        #expect(report.failures.count == 4)
    }

    @Test("runs one requirement by its name")
    func single() async {
        let found = await TransportConformance.check("sends PUT as it is") { ReferenceTransport() }
        let missing = await TransportConformance.check("sends PUT twice") { ReferenceTransport() }

        #expect(found == .passed)
        #expect(missing == .failed("There is no requirement of this name."))
    }
}

private struct Taken: Transport {
    let proxy: HTTP.ConnectAddress

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        var (call, input) = (call, input)
        call.connectAddress = proxy
        input.url = "http://origin.example/"
        do {
            return try await ReferenceTransport().send(input, call: call)
        } catch let error as TransportError {
            throw TransportError(error.code, error.message)
        }
    }
}
