#if Redis
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

@testable import InterceptorKitRedis

/// A server in memory, which answers each command as a test says, after a round trip in virtual time.
final class ScriptedRedis: Sendable {
    enum Answer: Sendable {
        /// Bytes as they are sent.
        case reply(String)
        case silence
        /// Ends the connection.
        case breaks
    }

    static let hello = "%2\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
    static let info = "$42\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n\r\n"

    struct Refused: Error {}

    private struct State {
        var commands: [[String]] = []
        var connections = 0
        var open = 0
        var isAway = false
        var info = ScriptedRedis.info
    }

    let runtime: Runtime
    private let answer: @Sendable (_ command: [String], _ connection: Int) -> Answer
    private let state = Lock(State())

    init(
        _ runtime: Runtime,
        _ answer: @escaping @Sendable (_ command: [String], _ connection: Int) -> Answer
    ) {
        self.runtime = runtime
        self.answer = answer
    }

    /// The commands after the greeting, in order.
    var commands: [[String]] {
        state.withLock(\.commands).filter { $0.first != "HELLO" && $0.first != "INFO" }
    }

    var greetings: [[String]] { state.withLock(\.commands).filter { $0.first == "HELLO" } }

    var connections: Int { state.withLock(\.connections) }

    /// The connections that are open now.
    var open: Int { state.withLock(\.open) }

    /// Refuses connections from now on, or takes them again.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// What the server says of itself from now on.
    func setInfo(_ lines: String) {
        state.withLock { $0.info = "$\(lines.utf8.count)\r\n\(lines)\r\n" }
    }

    var opener: RedisLinkOpener {
        { [self] receiver in
            let number = try state.withLock { state throws(Refused) in
                state.connections += 1
                if state.isAway { throw Refused() }
                state.open += 1
                return state.connections
            }
            return ScriptedLink(self, receiver, number)
        }
    }

    func client(_ change: (inout RedisSettings) -> Void = { _ in }) -> RedisClient {
        var settings = RedisSettings(host: "redis.example.com")
        settings.connections = 1
        change(&settings)
        return RedisClient(settings, runtime: runtime, open: opener)
    }

    fileprivate func answer(to command: [String], on connection: Int) -> Answer {
        state.withLock { $0.commands.append(command) }
        switch command.first {
        case "INFO"?: return .reply(state.withLock(\.info))
        case "HELLO"?:
            if case .silence = answer(command, connection) { return .reply(Self.hello) }
            return answer(command, connection)
        default: return answer(command, connection)
        }
    }

    fileprivate func closed() { state.withLock { $0.open -= 1 } }
}

private final class ScriptedLink: RedisLink {
    private struct State {
        var parser = RESPParser()
        var isClosed = false
        /// What is on the way back, in order.
        var answers: [ScriptedRedis.Answer] = []
    }

    private let server: ScriptedRedis
    private let receiver: any RedisLinkReceiver
    private let number: Int
    private let state = Lock(State())

    init(_ server: ScriptedRedis, _ receiver: any RedisLinkReceiver, _ number: Int) {
        self.server = server
        self.receiver = receiver
        self.number = number
    }

    func send(_ bytes: @escaping @Sendable () -> ByteBuffer?) {
        // Half a millisecond there, as long back.
        after(.microseconds(500)) { [self] in
            guard let bytes = bytes() else { return }
            for command in commands(in: bytes) { answer(command) }
        }
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { server.closed() }
    }

    private func commands(in bytes: ByteBuffer) -> [[String]] {
        state.withLock { state in
            state.parser.append(bytes)
            var commands: [[String]] = []
            while let command = try? state.parser.next() {
                commands.append(command.list?.map { $0.string ?? "" } ?? [])
            }
            return commands
        }
    }

    private func answer(_ command: [String]) {
        let answer = server.answer(to: command, on: number)
        state.withLock { $0.answers.append(answer) }
        // The oldest of them, since timers of one instant fire in any order.
        after(.microseconds(500)) { [self] in deliver() }
    }

    private func deliver() {
        let next = state.withLock { state -> ScriptedRedis.Answer in
            state.isClosed ? .silence : state.answers.removeFirst()
        }
        switch next {
        case .silence: return
        case .reply(let text): receiver.receive(ByteBuffer(string: text))
        case .breaks:
            close()
            receiver.end(nil)
        }
    }

    private func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
        _ = server.runtime.timer(
            at: server.runtime.now.advanced(by: delay),
            "a scripted server",
            action
        )
    }
}

extension RedisClient {
    /// Sends a command of words, for tests.
    func send(
        _ words: String...,
        isRepeatable: Bool = false
    ) async throws -> RESPValue {
        let arguments = words.dropFirst().map { RedisCommand.Argument.text($0) }
        return try await run(RedisCommand(words[0], Array(arguments)), isRepeatable: isRepeatable)
            .value
    }
}

/// The code that an operation fails with; another error stands as its description.
func failure(_ body: () async throws -> Any) async -> RedisError.Code? {
    do {
        _ = try await body()
        return nil
    } catch let error as RedisError {
        return error.code
    } catch {
        return .init(description: "\(error)")
    }
}
#endif
