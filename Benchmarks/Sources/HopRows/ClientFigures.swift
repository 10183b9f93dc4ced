import InterceptorHops
import InterceptorKit
import Measuring

/// What an ``HTTP/Client`` adds to its pipeline.
public struct ClientFigures: Sendable, CustomStringConvertible {
    private let pipeline: Measurement
    private let bare: Measurement
    private let tracked: Measurement
    private let limited: Measurement

    private static let passing = [any Interceptor<HTTP.Request>](
        repeating: PassingRequest(),
        count: 4
    )
    private static let transport = RequestTransport(method: Contenders.method)

    /// Measures them all.
    public static func measure(rounds: Int) async throws -> ClientFigures {
        let pipeline = try Pipeline(passing, transport: transport)
        let bare = try client(tracksCalls: false)
        let tracked = try client(tracksCalls: true)
        let limited = try HTTP.Client(passing, transport: transport)
        func workload(_ name: String, _ client: HTTP.Client) -> Workload {
            Workload(
                name,
                answer: 200,
                repeating: { count in
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= try await client.send(Contenders.request).status.code
                    }
                    return sum
                }
            )
        }
        let measurements = try await Task.detached {
            try await Rounds(rounds).measure([
                Workload(
                    "pipeline",
                    answer: 200,
                    repeating: { count in
                        var sum = 0
                        for _ in 0..<count {
                            sum &+= try await pipeline.run(Contenders.request).status.code
                        }
                        return sum
                    }
                ),
                workload("client", bare), workload("tracked", tracked),
                workload("limited", limited),
            ])
        }.value
        return ClientFigures(
            pipeline: measurements[0],
            bare: measurements[1],
            tracked: measurements[2],
            limited: measurements[3]
        )
    }

    private static func client(tracksCalls: Bool) throws -> HTTP.Client {
        try HTTP.Client(passing, transport: transport, timeout: nil, tracksCalls: tracksCalls)
    }

    /// The shortest time of a call whose caller is on the main actor, in nanoseconds.
    @MainActor
    public static func fromMainActor(tracksCalls: Bool, rounds: Int) async throws -> Double {
        let client = try client(tracksCalls: tracksCalls)
        let clock = ContinuousClock()
        var shortest = Double.infinity
        for _ in 0..<rounds * 21 {
            let began = clock.now
            for _ in 0..<1000 { _ = try await client.send(Contenders.request) }
            let time = began.duration(to: clock.now) / 1000
            shortest = min(shortest, time / .nanoseconds(1))
        }
        return shortest
    }

    /// What a client adds to its pipeline, in nanoseconds.
    public var added: Double { bare.nanoseconds - pipeline.nanoseconds }

    public var description: String {
        func adds(_ client: Measurement) -> String {
            let allocations = (client.allocations ?? .nan) - (pipeline.allocations ?? .nan)
            let nanoseconds = client.nanoseconds - pipeline.nanoseconds
            return "\(Int(nanoseconds.rounded())) ns, \(allocations.rounded()) allocations"
        }
        return """
            client adds: \(adds(bare))
            client that tracks its calls adds: \(adds(tracked))
            client that tracks its calls and has a timeout adds: \(adds(limited))
            """
    }
}
