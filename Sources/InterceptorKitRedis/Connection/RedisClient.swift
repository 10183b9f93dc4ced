#if Redis
public import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// A connection to one Redis or Valkey server, for the stores of this module.
///
/// ```swift
/// let redis = try RedisClient("rediss://limits:secret@redis.example.com:6380")
/// let nonces = RedisNonceStore(redis)
/// let limits = RedisRateLimitStore(redis)
/// ```
///
/// Make one client for the process, and close it when the process ends. All calls share a few connections, on which
/// commands follow each other without waiting for replies. A connection is made when a command needs it, and made again
/// after it broke, with growing waits.
///
/// No command takes longer than ``RedisSettings/timeout``. If a connection breaks before a reply, the stores repeat
/// only commands that may be carried out twice, within the same time; other commands fail with
/// ``RedisError/Code-swift.struct/outcomeUnknown``.
///
/// The client speaks RESP3, so it needs Redis 6 or Valkey, and the primary if there are replicas. A cluster is refused.
public final class RedisClient: Sendable {
    private let settings: RedisSettings
    let runtime: Runtime
    private let lanes: [RedisLane]
    private let turn = Atomic<Int>(0)

    /// Creates a client, which connects when it is first used.
    /// - Parameters:
    ///   - settings: The server's address and the limits.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    /// - Throws: `SettingError` for invalid settings.
    public convenience init(
        _ settings: RedisSettings,
        runtime: Runtime = .live
    ) throws(SettingError) {
        try settings.validate()
        let opener: RedisLinkOpener
        do {
            opener = try ChannelLink.opener(to: settings)
        } catch {
            throw SettingError(
                "RedisSettings.tls",
                is: "refused (\(Redaction.typeName(of: error)))",
                mustBe: "a configuration that NIOSSL accepts"
            )
        }
        self.init(settings, runtime: runtime, open: opener)
    }

    /// Creates a client from a URL, as in `redis://127.0.0.1:6379`; see ``RedisSettings/init(url:)``.
    /// - Throws: `SettingError` for an invalid URL.
    public convenience init(_ url: String, runtime: Runtime = .live) throws(SettingError) {
        try self.init(try RedisSettings(url: url), runtime: runtime)
    }

    init(_ settings: RedisSettings, runtime: Runtime, open: @escaping RedisLinkOpener) {
        self.settings = settings
        self.runtime = runtime
        lanes = (0..<max(1, settings.connections)).map { _ in
            RedisLane(settings, runtime: runtime, open: open)
        }
    }

    deinit { close() }

    /// Closes the connections. Commands in flight and all later commands fail.
    public func close() { for lane in lanes { lane.close() } }

    /// Sends a `PING`, for example for a readiness check.
    /// - Throws: ``RedisError`` if the server cannot be reached, is not supported or does not respond.
    public func ping() async throws {
        let reply = try await run(RedisCommand("PING"), isRepeatable: true).value
        guard reply.string == "PONG" else { throw RedisError.unexpected("PING") }
    }

    /// A reply that is not an error, with the facts about the server.
    struct Reply: Sendable {
        let value: RESPValue
        let facts: RedisServerFacts
    }

    /// Runs a script that may be carried out twice without harm.
    /// - Parameter arguments: Returns the arguments for the server that is about to run it.
    nonisolated(nonsending) func run(
        _ script: RedisScript,
        _ keys: [String],
        _ arguments: (RedisServerFacts) -> [RedisCommand.Argument]
    ) async throws -> Reply {
        let deadline = deadline
        do {
            return try await run(isRepeatable: true, until: deadline) { facts in
                script.command(keys, arguments(facts))
            }
        } catch let error as RedisError where error.serverCode == "NOSCRIPT" {
            // The server is new, or was restarted.
            return try await run(isRepeatable: true, until: deadline) { facts in
                script.complete(keys, arguments(facts))
            }
        }
    }

    /// Runs a command.
    /// - Parameter isRepeatable: Whether the command may be carried out twice without harm, so that it is sent again
    ///   after its connection broke.
    nonisolated(nonsending) func run(
        _ command: RedisCommand,
        isRepeatable: Bool
    ) async throws -> Reply {
        try await run(isRepeatable: isRepeatable, until: deadline) { _ in command }
    }

    private var deadline: Runtime.Instant { runtime.now.advanced(by: settings.timeout) }

    private nonisolated(nonsending) func run(
        isRepeatable: Bool,
        until deadline: Runtime.Instant,
        _ command: (RedisServerFacts) -> RedisCommand
    ) async throws -> Reply {
        var attempts = 0
        while true {
            attempts += 1
            let ready = try await ready(until: deadline)
            do {
                let facts = try await ready.facts.current(
                    on: ready.connection,
                    at: runtime.now,
                    until: deadline
                )
                let value = try await ready.connection.run(command(facts), until: deadline)
                if let code = value.errorCode {
                    // The next connection may reach the primary; this one would stay with the replica.
                    if code == "READONLY" { ready.connection.fail(.demoted) }
                    throw RedisError.refused(code)
                }
                return Reply(value: value, facts: facts)
            } catch let error as RedisError where mayRepeat(error, isRepeatable, until: deadline) {
                guard attempts < 3 else { throw error }
            }
        }
    }

    private func mayRepeat(
        _ error: RedisError,
        _ isRepeatable: Bool,
        until deadline: Runtime.Instant
    ) -> Bool {
        guard error.code == .unreachable || (isRepeatable && error.code == .outcomeUnknown) else {
            return false
        }
        // With less time left, the command would time out, and close the new connection, even on a fast server.
        return runtime.now.duration(to: deadline) > settings.timeout / 4
    }

    private nonisolated(nonsending) func ready(
        until deadline: Runtime.Instant
    ) async throws -> RedisLane.Ready {
        let first = turn.wrappingAdd(1, ordering: .relaxed).newValue
        if let ready = lane(first).usable { return ready }
        if !lane(first).isIdle {
            for step in lanes.indices.dropFirst() {
                if let ready = lane(first &+ step).usable { return ready }
            }
        }
        return try await lane(first).ready(until: deadline)
    }

    private func lane(_ number: Int) -> RedisLane {
        lanes[Int(UInt(bitPattern: number) % UInt(lanes.count))]
    }
}

extension RedisClient: CustomStringConvertible {
    /// The client as text, with the server's address and without the credential.
    public var description: String { "RedisClient(\(settings.place))" }
}

extension RedisError {
    fileprivate static let demoted = RedisError.outcomeUnknown(
        "The Redis server has become a replica, so the connection was closed."
    )

    static func unexpected(_ command: String) -> RedisError {
        RedisError(
            .malformedReply,
            "The reply of the Redis server to \(command) is not what it returns. Check that no proxy or other "
                + "product is in its place."
        )
    }
}
#endif
