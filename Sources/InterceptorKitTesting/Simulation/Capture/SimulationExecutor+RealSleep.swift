// A toolchain that ships the interface by which `Task.sleep` asks an executor to wait. It is given
// an instant of a real clock, read some real time before, so the wait cannot be turned into a virtual
// one that is the same in every run. It is refused by name instead. Elsewhere such a sleep shows as a
// task that does not end.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
@_spi(ExperimentalScheduling) import _Concurrency

extension SimulationExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        refuseSleep(of: UnownedJob(job))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        at instant: C.Instant,
        tolerance: C.Duration?,
        clock: C
    ) {
        refuseSleep(of: UnownedJob(job))
    }
}
#endif
