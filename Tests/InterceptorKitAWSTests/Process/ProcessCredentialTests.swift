import BoundedWaits
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitAWS

@Suite("A credential process", .tags(.process), .serializedAcrossSuites, .timeLimit(.minutes(10)))
struct ProcessCredentialTests {
    private static let answer =
        #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "a", "SessionToken": "t"}"#

    private static func environment(_ more: [String: String] = [:]) -> AWSEnvironment {
        let path = ["PATH": "/usr/bin:/bin"]
        return .test(.absent, path.merging(more) { $1 }, runtime: .live)
    }

    @Test("is read from its output, with the environment's variables")
    func output() async throws {
        let command = #"/bin/sh -c 'printf "%s" "$ANSWER"; echo hidden >&2'"#
        let environment = Self.environment(["ANSWER": Self.answer])

        let outcome = try await outcome(.process(command), environment)

        expectEqual(outcome, "A a t")
    }

    @Test(
        "is refused if it writes or ends as it must not",
        arguments: [
            ("/bin/sh -c 'exit 3'", "refused"), ("/bin/sh -c 'kill -9 $$'", "unavailable"),
            ("/bin/echo '{}'", "malformedResponse"), ("/nowhere/program", "invalidConfiguration"),
            ("", "invalidConfiguration"), ("'/bin/echo", "invalidConfiguration"),
            (
                #"/bin/echo '{"Version": 2, "AccessKeyId": "A", "SecretAccessKey": "a"}'"#,
                "malformedResponse"
            ),
            (
                #"/bin/echo '{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "a", "Expiration": "x"}'"#,
                "malformedResponse"
            ), ("/usr/bin/yes", "malformedResponse"),
        ]
    )
    func refused(_ command: String, _ code: String) async throws {
        let outcome = try await outcome(.process(command), Self.environment())

        expectEqual(outcome, code)
    }

    @Test("is killed with all that it started when its time is over")
    func timeLimit() async throws {
        let files = try Files()
        var environment = Self.environment(["FILE": "\(files.path)/pid"])
        environment.processTimeout = .milliseconds(300)
        let command = "/bin/sh -c 'sleep 100 & echo $! > $FILE; wait'"

        let outcome = try await outcome(.process(command), environment)

        expectEqual(outcome, "unavailable")
        let text = try String(contentsOfFile: "\(files.path)/pid", encoding: .utf8)
        let child = try unwrap(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        await expectTrue(eventually { !Self.isRunning(child) })
    }

    @Test("is killed when its caller is cancelled")
    func cancelled() async throws {
        let files = try Files()
        let environment = Self.environment(["FILE": "\(files.path)/pid"])
        let task = Task {
            try await AWSCredentialProvider.process("/bin/sh -c 'echo $$ > $FILE; sleep 100'")
                .credentials(in: environment)
        }
        await expectTrue(eventually { Self.number(in: files) != nil })
        let child = try unwrap(Self.number(in: files))

        task.cancel()
        let result = await task.result

        #expect(throws: CancellationError.self) { try result.get() }
        expectTrue(!Self.isRunning(child))
    }

    @Test("leaves no zombie and no descriptor behind")
    func clean() async throws {
        let files = try Files()
        let pids = "\(files.path)/pids"
        let environment = Self.environment(["ANSWER": Self.answer, "FILE": pids])
        let command = #"/bin/sh -c 'echo $$ >> $FILE; printf "%s" "$ANSWER"'"#
        _ = try await outcome(.process(command), environment)
        let before = Self.descriptors

        for _ in 0..<30 { _ = try await outcome(.process(command), environment) }

        expectTrue(Self.descriptors <= before + 3)
        let ended = try String(contentsOfFile: pids, encoding: .utf8).split(separator: "\n")
        expectEqual(ended.count, 31)
        // The other tests' children are theirs to wait for.
        expectEqual(ended.compactMap { Int32($0) }.filter { waitpid($0, nil, WNOHANG) >= 0 }, [])
    }

    private static func number(in files: Files) -> Int32? {
        (try? String(contentsOfFile: "\(files.path)/pid", encoding: .utf8))
            .flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private static func isRunning(_ process: Int32) -> Bool {
        guard kill(process, 0) == 0 else { return false }
        // A grandchild that was killed is taken by the system's first process, at its leisure.
        let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return !status.contains(") Z ")
    }

    private static var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// Apart, because what is done with the ends of children is the whole program's.
@Suite(
    "A credential process of a program that ignores its children",
    .tags(.process),
    .serializedAcrossSuites,
    .timeLimit(.minutes(10))
)
struct IgnoredProcessCredentialTests {
    @Test("is read though the system takes its status")
    func ignored() async throws {
        let handler = signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, handler) }
        let environment = AWSEnvironment.test(.absent, ["PATH": "/bin"], runtime: .live)
        let json = #"{"Version": 1, "AccessKeyId": "A", "SecretAccessKey": "a"}"#

        let read = try await outcome(.process("/bin/echo '\(json)'"), environment)
        let silent = try await outcome(.process("/bin/sh -c 'exit 3'"), environment)

        expectEqual([read, silent], ["A a", "malformedResponse"])
    }
}
