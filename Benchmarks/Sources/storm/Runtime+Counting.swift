import InterceptorKit

extension Runtime {
    /// The live runtime, which counts the tasks started that have not ended.
    static func counting(with tasks: Counter) -> Runtime {
        let live = Runtime.live
        return Runtime(
            now: { live.now },
            date: { live.date },
            sleep: { try await live.sleep(until: $0) },
            random: { live.random() },
            identifier: { live.identifier() },
            start: { name, operation in
                tasks.add()
                return live.start(name) {
                    await operation()
                    tasks.add(-1)
                }
            }
        )
    }
}
