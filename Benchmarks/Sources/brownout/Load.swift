import InterceptorKit
import Synchronization

/// What a run came to, for calls from the brown-out's begin to 4 s after its end.
struct Score {
    var share: Double
    var sends: Double
    /// Seconds from the end of the brown-out until a call succeeded again and so did those after it.
    var recovery: Double
}

/// Forty calls a second for seventeen seconds.
struct Load {
    static let deadline: Duration = .seconds(3)
    static let attemptLimit: Duration = .milliseconds(500)
    private static let length: Duration = .seconds(17)
    private static let gap: Duration = .milliseconds(25)

    let service: Service

    func run(_ send: @escaping Program.Send) async -> Score {
        let results = Mutex<[(Duration, Bool)]>([])
        let clock = ContinuousClock()
        let began = clock.now
        await withTaskGroup(of: (Duration, Bool).self) { group in
            var time = Duration.zero
            while time < Self.length {
                try? await clock.sleep(until: began.advanced(by: time))
                let now = time
                group.addTask { (now, await send()) }
                time += Self.gap
            }
            for await result in group { results.withLock { $0.append(result) } }
        }
        let all = results.withLock { $0 }.sorted { $0.0 < $1.0 }
        let end = Service.brownOut.upperBound
        let window = Service.brownOut.lowerBound..<(end + .seconds(4))
        let counted = all.filter { window.contains($0.0) }
        let lastFailure = all.last { !$0.1 }?.0 ?? end
        return Score(
            share: Double(counted.count(where: \.1)) / Double(counted.count),
            sends: Double(await service.sends) / Double(all.count),
            recovery: max(.zero, lastFailure - end) / .seconds(1)
        )
    }
}
