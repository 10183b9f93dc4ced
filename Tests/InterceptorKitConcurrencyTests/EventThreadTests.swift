import Expectations
import InterceptorKitConcurrency
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("EventThread")
struct EventThreadTests {
    /// Says, when nobody holds it any more, its outcome.
    private final class Held {
        var didRun = false
        let end: CheckedContinuation<Bool, Never>

        init(_ end: CheckedContinuation<Bool, Never>) { self.end = end }

        deinit { end.resume(returning: didRun) }
    }

    @Test("runs its function once, and releases what that holds")
    func runs() async {
        let didRun = await withCheckedContinuation { end in
            let held = Held(end)
            let code = EventThread.start { held.didRun.toggle() }
            expectEqual(code, nil)
        }

        expectTrue(didRun)
    }

    @Test("blocks SIGPIPE on its own thread, and no other signal")
    func signals() async {
        let (here, there) = await withCheckedContinuation { end in
            let here = blockedSignals()
            let code = EventThread.start { end.resume(returning: (here, blockedSignals())) }
            expectEqual(code, nil)
            expectEqual(blockedSignals(), here)
        }

        expectEqual(there, here.union([SIGPIPE]))
        expectTrue(there.contains(SIGPIPE))
    }
}

/// What the calling thread blocks of the signals up to 31, which all systems have.
private func blockedSignals() -> Set<Int32> {
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    return Set((1...31 as ClosedRange<Int32>).filter { unsafe sigismember(&mask, $0) == 1 })
}
