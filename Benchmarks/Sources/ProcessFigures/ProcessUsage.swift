#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What this process, with all its threads, has used of the machine.
public struct ProcessUsage: Sendable {
    /// Processor time in the process's own code, in seconds.
    public let user: Double
    /// Processor time that the system spent for the process, in seconds.
    public let system: Double
    /// How often a thread gave its processor up or had it taken away.
    public let switches: Int

    /// User and system time, in seconds.
    public var processorSeconds: Double { user + system }

    /// What was used so far.
    public static func current() -> ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessUsage(
            user: seconds(usage.ru_utime),
            system: seconds(usage.ru_stime),
            switches: Int(usage.ru_nvcsw) + Int(usage.ru_nivcsw)
        )
    }

    /// What was used since an earlier moment.
    public func since(_ earlier: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            user: user - earlier.user,
            system: system - earlier.system,
            switches: switches - earlier.switches
        )
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
