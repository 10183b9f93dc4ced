import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTransport
import Synchronization
import TestRun
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("DataTaskTransport over a function")
struct DataTaskFunctionTests {
    @Test("is not held by a function that ignores cancellation")
    func ignoresCancellation() async throws {
        let gate = Gate("function")
        let transport = stubborn(gate)
        let hasEnded = Mutex(false)
        let call = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await transport.send(.get("https://a.example/"), call: Call())
        }
        try await gate.waitForArrivals(1)

        call.cancel()

        await expectTrue(eventually { hasEnded.withLock(\.self) })
        gate.open()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test("is not held past its deadline by a function that ignores it")
    func deadline() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<seedCount) { simulation in
                let gate = Gate("function")
                defer { gate.open() }
                let transport = stubborn(gate)
                let start = simulation.runtime.now
                let call = Call(runtime: simulation.runtime).withDeadline(within: .seconds(3))

                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(.get("https://a.example/"), call: call)
                }

                expectEqual(error?.code, .timedOut)
                expectEqual(error?.isUnsent, false)
                expectEqual(start.duration(to: simulation.runtime.now), .seconds(3))
            }
        }
    }

    @Test("tells a URLError as the engine does, so that a retry knows it")
    func retries() async throws {
        try await besideOtherTests {
            try simulate(seeds: 0..<3) { simulation in
                for code in [URLError.Code.networkConnectionLost, .cannotFindHost, .timedOut] {
                    let sends = Mutex(0)
                    let transport = DataTaskTransport { request in
                        let number = sends.withLock { sends in
                            sends += 1
                            return sends
                        }
                        // Known by its domain alone, as code in Objective-C has it.
                        if number == 1 {
                            throw NSError(domain: NSURLErrorDomain, code: code.rawValue)
                        }
                        return try answer(to: request)
                    }
                    let client = try HTTP.Client(
                        transport: transport,
                        runtime: simulation.runtime
                    ) { RetryInterceptor(policy: .standard) }

                    let response = try await client.send(.get("https://a.example/"))

                    expectEqual(response.status, 200)
                    expectEqual(sends.withLock(\.self), 2)
                }
            }
        }
    }

    @Test("keeps the URLError as the cause, and never says that nothing was sent")
    func cause() async throws {
        let transport = DataTaskTransport { _ in throw URLError(.cannotConnectToHost) }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.post("https://a.example/", body: "x"), call: Call())
        }

        expectEqual(error?.code, .cannotConnect)
        expectEqual((error?.cause as? URLError)?.code, .cannotConnectToHost)
        expectEqual(error?.isUnsent, false)
    }

    @Test("throws a function's own error as it is, and no cancellation of its own")
    func otherErrors() async throws {
        struct Refused: Error {}
        let refusing = DataTaskTransport { _ in throw Refused() }
        let cancelling = DataTaskTransport { _ in throw CancellationError() }

        await #expect(throws: Refused.self) {
            try await refusing.send(.get("https://a.example/"), call: Call())
        }
        await #expect(throws: TransportError.self) {
            try await cancelling.send(.get("https://a.example/"), call: Call())
        }
    }

    @Test("refuses a response that isn't one of HTTP")
    func otherResponse() async throws {
        let transport = DataTaskTransport { request in
            let url = try unwrap(request.url)
            return (
                Data(),
                URLResponse(
                    url: url,
                    mimeType: nil,
                    expectedContentLength: 0,
                    textEncodingName: nil
                )
            )
        }

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(.get("https://a.example/"), call: Call())
        }

        expectEqual(error?.code, .protocolViolation)
        expectEqual((error?.cause as? URLError)?.code, .badServerResponse)
    }

    @Test("lets a URLError of another transport be classified as the engine's")
    func ownTransport() {
        for (code, kind) in [
            (URLError.Code.networkConnectionLost, Classification.Kind.transient),
            (.cannotConnectToHost, .transient), (.serverCertificateUntrusted, .permanent),
            (.cancelled, .permanent),
        ] {
            let error: any Error = URLError(code)

            let classification = (error as? any ClassifiedError)?.classification

            expectEqual(classification?.kind, kind, "\(code)")
            expectEqual(classification?.isUnsent, false)
        }
    }

    private func stubborn(_ gate: Gate) -> DataTaskTransport {
        DataTaskTransport { request in
            // Not in its own task, whose cancellation the gate would heed.
            try await Task { try await gate.pass() }.value
            return try answer(to: request)
        }
    }
}

private func answer(to request: URLRequest) throws -> (Data, URLResponse) {
    let url = try unwrap(request.url)
    return try (
        Data(),
        unwrap(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
    )
}
