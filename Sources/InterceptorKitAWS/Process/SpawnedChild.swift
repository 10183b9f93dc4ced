import InterceptorKitConcurrency

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A process and its output, in the thread that waits for them.
struct SpawnedChild {
    private let process: pid_t
    /// The descriptor of the program's standard output.
    private let output: Int32

    static func run(
        _ words: [String],
        _ variables: [String: String],
        _ limit: Int,
        _ stop: ChildStop
    ) -> ChildProcess.Ending {
        do throws(ChildError) {
            return try SpawnedChild(words, variables).wait(limit, stop)
        } catch {
            return .notStarted(reason: error.reason)
        }
    }

    private init(_ words: [String], _ variables: [String: String]) throws(ChildError) {
        let pairs = variables.map { "\($0.key)=\($0.value)" }
        guard (words + pairs).allSatisfy({ !$0.utf8.contains(0) }) else {
            throw ChildError(reason: "a word has a NUL in it")
        }
        let ends = try Pipe()
        process = try Self.spawn(words, pairs, output: ends.writing)
        // A duplicate, because the pipe closes both of its ends here.
        let copy = fcntl(ends.reading, F_DUPFD_CLOEXEC, 0)
        output = copy
        guard copy >= 0 else {
            let number = errno
            end()
            throw ChildError(number: number)
        }
    }

    private static func spawn(
        _ words: [String],
        _ pairs: [String],
        output: Int32
    ) throws(ChildError) -> pid_t {
        #if os(tvOS) || os(watchOS)
        throw ChildError(reason: "this system starts no programs")
        #else
        // Safety: actions and attributes are initialized, used and destroyed here. The strings are copies that live
        // until the call has returned, in nil-terminated arrays, as the function requires.
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // A new process group, to be killed as a whole, and no blocked signals, which this thread would pass on.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        var process = pid_t()
        let code = unsafe withCStrings(words) { arguments in
            unsafe withCStrings(pairs) { environment in
                unsafe posix_spawnp(
                    &process,
                    words[0],
                    &actions,
                    &attributes,
                    arguments,
                    environment
                )
            }
        }
        unsafe posix_spawn_file_actions_destroy(&actions)
        unsafe posix_spawnattr_destroy(&attributes)
        guard code == 0 else { throw ChildError(number: code) }
        return process
        #endif
    }

    private static func withCStrings(
        _ texts: [String],
        _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        // Safety: the copies are freed after the body, which gets a nil-terminated array.
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        let code = unsafe copies.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe body($0) } ?? EINVAL
        }
        unsafe copies.forEach { unsafe free($0) }
        return code
    }

    /// Reads until the output ends or the stop is signalled.
    private func wait(_ limit: Int, _ stop: ChildStop) -> ChildProcess.Ending {
        defer { close(output) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            var watched = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // Safety: both buffers are lent with their own counts for the duration of a call.
            let ready = unsafe poll(&watched, nfds_t(watched.count), -1)
            if ready < 0, errno == EINTR { continue }
            if let cause = stop.cause {
                end()
                return cause == .time ? .timedOut : .killed(signal: SIGKILL)
            }
            let count = unsafe chunk.withUnsafeMutableBytes { bytes in
                unsafe read(output, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            content += chunk.prefix(count)
            guard content.count <= limit else {
                end()
                return .tooMuchOutput
            }
        }
        return ending(content, stop)
    }

    /// Reaps a program that has closed its output but may still run.
    private func ending(_ content: [UInt8], _ stop: ChildStop) -> ChildProcess.Ending {
        var status: Int32 = 0
        while true {
            // Safety: the status is written within the call.
            let taken = unsafe waitpid(process, &status, WNOHANG)
            if taken == process { break }
            // Someone else reaped it, such as the system if SIGCHLD is ignored, so only the output tells how it ended.
            if taken < 0, errno == ECHILD { break }
            var watched = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
            unsafe poll(&watched, 1, 10)
            if let cause = stop.cause {
                end()
                return cause == .time ? .timedOut : .killed(signal: SIGKILL)
            }
        }
        let signal = status & 0x7F
        return signal == 0
            ? .exited((status >> 8) & 0xFF, output: content) : .killed(signal: signal)
    }

    /// Kills the program's process group and reaps the program.
    private func end() {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        // Safety: the status is written within the call.
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
