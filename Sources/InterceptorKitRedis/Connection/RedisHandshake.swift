#if Redis
import InterceptorKit

/// The facts that a server reports about itself when a connection begins, and again while it is used.
struct RedisServerFacts: Sendable, Hashable {
    /// Whether keys are evicted before they expire when the memory is full; `nil` if the server does not say.
    private(set) var evictsKeys: Bool?
    /// The number of keys evicted since the server started; `nil` if it does not say.
    let evictions: Int?
    /// The id of the server's process, if a restart may lose data; `nil` with an append-only file, or if unknown.
    let volatileRunID: String?

    /// - Parameter info: The reply to `INFO`; nothing is known without one.
    init(info: String = "") {
        var values: [Substring: Substring] = [:]
        for line in info.split(at: "\n") {
            let parts = line.split(at: ":", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1].beginning(before: "\r") }
        }
        if let policy = values["maxmemory_policy"], let maximum = values["maxmemory"] {
            evictsKeys = maximum != "0" && policy != "noeviction"
        } else {
            evictsKeys = nil
        }
        evictions = values["evicted_keys"].flatMap { Int($0) }
        volatileRunID = values["aof_enabled"] == "0" ? values["run_id"].map(String.init) : nil
    }
}

extension RedisServerFacts {
    /// Returns these facts, marked as evicting if keys were evicted since earlier facts, whatever the policy is now.
    func after(_ earlier: RedisServerFacts) -> RedisServerFacts {
        var facts = self
        if let count = evictions, count > earlier.evictions ?? count { facts.evictsKeys = true }
        return facts
    }
}

extension RESPValue {
    /// Whether the error says that the server accepts no more connections.
    fileprivate var isFull: Bool {
        if case .error(let text) = self {
            text.begins(with: "ERR max number of clients")
        } else {
            false
        }
    }
}

extension RedisConnection {
    /// Switches to RESP3, authenticates, refuses servers that the stores cannot work with, and selects the database.
    nonisolated(nonsending) func begin(
        _ settings: RedisSettings,
        until deadline: Runtime.Instant
    ) async throws -> RedisServerFacts {
        var arguments: [RedisCommand.Argument] = ["3"]
        if let credential = settings.credential {
            arguments += ["AUTH", .text(credential.username), .text(credential.password)]
        }
        if !settings.clientName.isEmpty { arguments += ["SETNAME", .text(settings.clientName)] }
        let hello = try await run(RedisCommand("HELLO", arguments), until: deadline)
        try Self.check(hello)
        if settings.database != 0 {
            let select = RedisCommand("SELECT", [.text("\(settings.database)")])
            if let code = try await run(select, until: deadline).errorCode {
                throw RedisError(
                    .unsupportedServer,
                    "The Redis server refused the database \(settings.database) with the error \(code).",
                    serverCode: code
                )
            }
        }
        return try await facts(until: deadline)
    }

    /// Requests the server's facts. A user without the permission gets none.
    nonisolated(nonsending) func facts(
        until deadline: Runtime.Instant
    ) async throws -> RedisServerFacts {
        let info = try await run(RedisCommand("INFO"), until: deadline)
        return RedisServerFacts(info: info.string ?? "")
    }

    private static func check(_ hello: RESPValue) throws(RedisError) {
        if let code = hello.errorCode {
            switch code {
            case "NOAUTH", "WRONGPASS", "NOPERM":
                throw RedisError(
                    .notAuthenticated,
                    "The Redis server did not accept the user name and password, or requires them "
                        + "(\(code)). Check RedisSettings.credential.",
                    serverCode: code
                )
            case "ERR" where hello.isFull:
                throw RedisError(
                    .refused,
                    "It has as many connections as its setting maxclients allows.",
                    serverCode: code
                )
            case "ERR", "NOPROTO":
                throw unsupported("It does not speak RESP3: Redis 6 and Valkey 7.2 or later do.")
            default:
                throw .refused(code)
            }
        }
        guard case .map = hello, let mode = hello["mode"]?.string else {
            throw unsupported("Its reply to HELLO is not that of a Redis or Valkey server.")
        }
        guard mode == "standalone" else {
            throw unsupported(
                "It runs in the mode \(HTTP.printable(mode)). The stores need one server, or the primary of "
                    + "replicas: no cluster, whose keys move, and no sentinel."
            )
        }
        if let role = hello["role"]?.string, role == "replica" || role == "slave" {
            throw unsupported(
                "It is a replica, which takes no writes. Give the address of its primary."
            )
        }
    }

    private static func unsupported(_ reason: String) -> RedisError {
        RedisError(.unsupportedServer, "The server cannot be used. \(reason)")
    }
}
#endif
