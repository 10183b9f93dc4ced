import Expectations
import Testing

@testable import InterceptorKitTesting

@Suite struct CaptureTrialTests {
    @Test("captures where the runtime is as expected, as on this toolchain")
    func asExpected() {
        expectEqual(CaptureTrial.fault(), nil)
        expectEqual(GlobalEnqueues.fault, nil)
    }

    @Test(
        "names what is not where it is expected in a job's flags",
        arguments: [
            (JobFlagLayout(childBits: 1 << 23), "a child task lacks the flags of one"),
            (JobFlagLayout(childBits: 0), "a child task lacks the flags of one"),
            (JobFlagLayout(childBits: ~0), "a detached task has the flags of a child"),
            (JobFlagLayout(priorityShift: 0), "a job's flags do not hold its priority"),
        ]
    )
    func wrongLayout(layout: JobFlagLayout, fault: String) {
        expectEqual(CaptureTrial.fault(layout), fault)
    }

    @Test("puts no hook in place and says why where the runtime is different")
    func switchedOff() {
        let slot = UnsafeMutablePointer<ConcurrencyRuntime.EnqueueHook?>.allocate(
            capacity: 1
        )
        unsafe slot.initialize(to: nil)
        defer { unsafe slot.deallocate() }

        let fault = unsafe GlobalEnqueues.install(in: slot, JobFlagLayout(childBits: 1 << 23))

        expectEqual(fault, "a child task lacks the flags of one")
        expectTrue(unsafe slot.pointee == nil)
        expectEqual(
            unsafe GlobalEnqueues.install(in: nil),
            "swift_task_enqueueGlobal_hook is missing"
        )
    }

    @Test("says in the simulation's error what keeps plain tasks out of it")
    func namedInErrors() throws {
        let simulation = Simulation(seed: 0)

        let error = simulation.deadlock(uncaptured: "numbers do not rise")

        expectEqual(error.code, .deadlock)
        expectTrue(
            error.message.hasSuffix(
                "the concurrency runtime is not as expected: numbers do not rise."
            )
        )
        expectEqual(simulation.deadlock().message.contains("not as expected"), false)
    }
}
