#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The processor time of this process.
public enum CPUTime {
    /// User and system time of all its threads so far, in seconds.
    public static func seconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
