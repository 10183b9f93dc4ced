// Some toolchains ship the interface by which `Task.sleep` asks an executor to wait. It passes an instant of a real
// clock, read some real time before, so the wait cannot become a virtual one that is the same in every run. The wait is
// therefore refused with the task's name. Elsewhere such a sleep shows as a task that does not end.
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
