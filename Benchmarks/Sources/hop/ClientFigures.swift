import InterceptorHops
import InterceptorKit
import Measuring

/// What an ``HTTP/Client`` adds to its pipeline, and what a call from the main actor costs.
struct ClientFigures: CustomStringConvertible {
    private let pipeline: Measurement
    private let bare: Measurement
    private let tracked: Measurement
    private let limited: Measurement
    private let mainActor: Double
    private let mainActorTracked: Double

    static func measure(rounds: Int) async throws -> ClientFigures {
        let passing = [any Interceptor<HTTP.Request>](repeating: PassingRequest(), count: 4)
        let transport = RequestTransport(method: Contenders.method)
        let pipeline = try Pipeline(passing, transport: transport)
        let bare = try HTTP.Client(passing, transport: transport, timeout: nil, tracksCalls: false)
        let tracked = try HTTP.Client(passing, transport: transport, timeout: nil)
        let limited = try HTTP.Client(passing, transport: transport)
        func workload(_ name: String, _ client: HTTP.Client) -> Workload {
            Workload(name, answer: 200, repeating: { count in
                var sum = 0
                for _ in 0..<count {
                    sum &+= try await client.send(Contenders.request).status.code
                }
                return sum
            })
        }
        let measurements = try await Task.detached {
            try await Rounds(rounds).measure([
                Workload("pipeline", answer: 200, repeating: { count in
                    var sum = 0
                    for _ in 0..<count {
                        sum &+= try await pipeline.run(Contenders.request).status.code
                    }
                    return sum
                }),
                workload("client", bare), workload("tracked", tracked),
                workload("limited", limited),
            ])
        }.value
        return ClientFigures(
            pipeline: measurements[0],
            bare: measurements[1],
            tracked: measurements[2],
            limited: measurements[3],
            mainActor: try await fromMainActor(bare, rounds),
            mainActorTracked: try await fromMainActor(tracked, rounds)
        )
    }

    /// The shortest time of a call whose caller is on the main actor, in nanoseconds.
    @MainActor
    private static func fromMainActor(_ client: HTTP.Client, _ rounds: Int) async throws -> Double {
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

    var description: String {
        func adds(_ client: Measurement) -> String {
            let allocations = (client.allocations ?? .nan) - (pipeline.allocations ?? .nan)
            let nanoseconds = client.nanoseconds - pipeline.nanoseconds
            return "\(Int(nanoseconds.rounded())) ns, \(allocations.rounded()) allocations"
        }
        return """
            client adds: \(adds(bare))
            client that tracks its calls adds: \(adds(tracked))
            client that tracks its calls and has a timeout adds: \(adds(limited))
            from the main actor: \(Int(mainActor.rounded())) ns
            from the main actor, tracked: \(Int(mainActorTracked.rounded())) ns
            """
    }
}
