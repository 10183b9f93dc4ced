public import Foundation
public import InterceptorKit

extension Runtime {
    /// The live runtime with another date.
    /// - Parameters:
    ///   - date: Says the date.
    ///   - shortest: What is slept at least; shorter sleeps end at once. Defaults to zero.
    public static func live(
        date: @escaping @Sendable () -> Date,
        skippingSleepsTo shortest: Duration = .zero
    ) -> Runtime {
        Runtime(
            now: { Runtime.live.now },
            date: date,
            sleep: { instant in
                guard Runtime.live.now.duration(to: instant) > shortest else { return }
                try await Runtime.live.sleep(until: instant)
            },
            random: { Runtime.live.random() },
            identifier: { Runtime.live.identifier() },
            start: { Runtime.live.start($0, $1) }
        )
    }
}
