public import InterceptorKit
public import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Calls of which some are answered badly, late or never and some are cancelled, and whose bodies are read,
/// left or looked into.
public struct Storm: Sendable {
    /// How many calls there are.
    public static let calls = 4

    private let simulation: Simulation
    private let client: HTTP.Client

    /// Makes a client with the standard chain, a token that is refreshed, and some interceptors more.
    /// - Parameters:
    ///   - simulation: Whose time and randomness it is.
    ///   - hedged: Whether attempts are made side by side, in place of one after the other.
    ///   - events: Receives what happens. Defaults to nothing.
    ///   - interceptors: What is added to the standard chain.
    public init(
        _ simulation: Simulation,
        hedged: Bool,
        events: (any EventSink)? = nil,
        @InterceptorBuilder<HTTP.Request> _ interceptors: () -> [any Interceptor<HTTP.Request>]
    ) throws {
        var settings = StandardSettings<HTTP.Request>()
        if hedged {
            settings.retry = nil
            settings.hedge = .standard
        }
        let own = interceptors()
        self.simulation = simulation
        client = try HTTP.Client.standard(
            settings,
            transport: Streaming(),
            runtime: simulation.runtime,
            events: events
        ) {
            TokenInterceptor(
                source: RefreshableCredentialSource(
                    initial: { .bearer("t0") },
                    refresh: { _ in .bearer("t1") }
                ),
                origins: ["https://api.example.com"]
            )
            own
            FaultInjectionInterceptor([
                .refused(rate: 0.1), .reset(rate: 0.1), .status(503, rate: 0.1),
                .latency(rate: 0.1, .seconds(3)), .latency(rate: 0.1, .seconds(11)),
                .truncated(rate: 0.1), .slow(rate: 0.1),
            ])
        }
    }

    /// Makes the calls, all at once.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<Self.calls {
                let call = simulation.runtime.start("call \(number)") { await send() }
                group.addTask { await call.value }
                guard simulation.runtime.random() % 3 == 0 else { continue }
                let patience = Duration.milliseconds(Int(simulation.runtime.random() % 4000))
                group.addTask {
                    try? await simulation.runtime.sleep(for: patience)
                    call.cancel()
                }
            }
        }
    }

    private func send() async {
        let request = HTTP.Request.get("https://api.example.com/orders/7?token=hidden")
        guard let response = try? await client.send(request) else { return }
        switch simulation.runtime.random() % 4 {
        case 0: _ = try? await response.body.collect()
        case 1:
            var chunks = response.body.makeAsyncIterator()
            _ = try? await chunks.next()
        case 2: await response.discard()
        default: break
        }
    }
}

private struct Streaming: Transport {
    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await call.runtime.sleep(for: .milliseconds(Int(call.runtime.random() % 50)))
        let status: HTTP.Status = call.runtime.random() % 8 == 0 ? 401 : 200
        return HTTP.Response(status, body: .oneShot(Chunks()), request: input)
    }
}

/// Four chunks of 1 KiB.
private final class Chunks: HTTP.BodyStream {
    private let read = Mutex(0)

    func next() async throws -> Data? {
        read.withLock { read in
            guard read < 4 else { return nil }
            read += 1
            return Data(repeating: 0x61, count: 1024)
        }
    }

    func cancel() {}
}
