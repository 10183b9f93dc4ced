import InterceptorKitConcurrency
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Ends a wait in another thread through a pipe that the thread polls.
final class ChildStop: Sendable {
    private let pipe: Pipe
    private let reason = Lock<CancellableWork.Reason?>(nil)

    init() throws(ChildError) { pipe = try Pipe() }

    /// A descriptor that becomes readable when the wait is to end.
    var descriptor: Int32 { pipe.reading }

    /// The reason for ending the wait; `nil` while it continues.
    var cause: CancellableWork.Reason? { reason.withLock { $0 } }

    func end(_ cause: CancellableWork.Reason) {
        let isFirst = reason.withLock { reason in
            defer { reason = reason ?? cause }
            return reason == nil
        }
        guard isFirst else { return }
        var byte = UInt8(1)
        // Safety: one byte is lent for the length of the call.
        _ = unsafe write(pipe.writing, &byte, 1)
    }
}

/// A pipe that started programs do not inherit.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32

    init() throws(ChildError) {
        var ends: [Int32] = [-1, -1]
        // Safety: the two numbers are written within the call.
        guard unsafe pipe(&ends) == 0 else { throw ChildError(number: errno) }
        // A program that another thread starts before this loop keeps the pipe open, until the time limit.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }
}

extension ChildError {
    /// - Parameter number: The system's error number.
    init(number: Int32) {
        // Safety: the system's text is copied at once.
        self.init(reason: unsafe String(cString: strerror(number)))
    }
}
