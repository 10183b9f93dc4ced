#if Configuration
public import Configuration
public import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A client whose settings come from a configuration and can be replaced while it is in use.
///
/// ```swift
/// let clients = try ReloadableClient(
///     config: config.scoped(to: "orders"),
///     defaults: settings,
///     transport: transport
/// )
/// try await withThrowingTaskGroup { group in
///     group.addTask { try await clients.run() }
///     group.addTask { _ = try await clients.send(.get("/orders/7")) }
///     try await group.next()
///     group.cancelAll()
/// }
/// ```
///
/// A call keeps the settings that it began with, and the next call gets the new ones; no call fails because settings
/// are replaced. An invalid configuration changes nothing: the current settings stay in use, and ``refusal`` and an
/// event name the keys. <doc:ReplaceSettings> says which state each part of a client keeps across settings.
public final class ReloadableClient: Sendable {
    private struct State {
        var client: HTTP.Client
        var settings: HTTP.Client.Settings
        var found: [String: ConfigurationValues.Found]
        var token: SharedToken?
        var refusal: ConfigurationError?
        // Clients with calls in flight, so that the calls can be cancelled.
        var earlier: [HTTP.Client] = []
    }

    private let config: ConfigReader
    private let defaults: HTTP.Client.Settings?
    private let transport: any Transport<HTTP.Request>
    private let runtime: Runtime
    private let events: (any EventSink)?
    private let redaction: Redaction?
    private let state: Lock<State>
    // Held from reading a snapshot until its settings are in use, so that an older configuration never replaces a newer
    // one.
    private let reloadLock = Lock<Void>(())

    /// Creates a client from the current configuration.
    /// - Parameters:
    ///   - config: The reader, in the scope of this client; <doc:ConfigurationKeys> lists the keys.
    ///   - defaults: The settings for keys without a value, and those that no configuration can hold. `nil`, the
    ///     default, means the usual settings; the key `baseURL` is then required.
    ///   - transport: The transport that sends the requests, under all settings.
    ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
    ///   - events: The sink for the events of calls, and of replaced and refused settings. Defaults to none.
    ///   - redaction: Decides what events show of calls. `nil`, the default, is `Redaction.standard`.
    /// - Throws: A ``ConfigurationError`` that names the keys with invalid values.
    public init(
        config: ConfigReader,
        defaults: HTTP.Client.Settings? = nil,
        transport: some Transport<HTTP.Request>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        redaction: Redaction? = nil
    ) throws(ConfigurationError) {
        self.config = config
        self.defaults = defaults
        self.transport = transport
        self.runtime = runtime
        self.events = events
        self.redaction = redaction
        let configured = try ConfiguredSettings(config.snapshot(), defaults)
        let token = SharedToken(configured.settings, after: nil)
        let client = try configured.client(transport, runtime, events, redaction, token)
        state = Lock(
            State(
                client: client,
                settings: configured.settings,
                found: configured.values.found,
                token: token
            )
        )
    }

    /// The client with the current settings, which it keeps. Get it for each call or stream instead of storing it.
    public var current: HTTP.Client { state.withLock(\.client) }

    /// The error of the latest configuration if it was refused; `nil` if it is in use.
    public var refusal: ConfigurationError? { state.withLock(\.refusal) }

    /// The number of calls in flight, uploads and downloads in progress, and response bodies that are held and neither
    /// read to their end nor released, under any settings.
    public var openWork: Int { clients.reduce(0) { $0 + $1.openWork } }

    /// Sends a request under the current settings.
    ///
    /// For everything else that a client does, such as streams and transfers, see ``current``.
    /// - Parameters:
    ///   - request: The request to send.
    ///   - timeout: The timeout of this call. Defaults to that of the settings.
    ///   - configure: Changes the call before it starts.
    /// - Throws: The errors of `HTTP.Client.send`.
    public func send(
        _ request: HTTP.Request,
        timeout: Duration? = nil,
        configure: (inout Call) throws -> Void = { _ in }
    ) async throws -> HTTP.Response {
        try await current.send(request, timeout: timeout, configure: configure)
    }

    /// Cancels every call, upload, download and arriving body, under any settings. The client stays usable.
    public func cancelAll() { for client in clients { client.cancelAll() } }

    /// Watches the configuration and applies its changes, until the task is cancelled.
    ///
    /// Run it beside your work, for example in a task group. An invalid configuration is refused, and the watch
    /// continues.
    /// - Throws: `CancellationError` if the task was cancelled; the error of a configuration provider that cannot be
    ///   watched.
    public func run() async throws {
        try await config.watchSnapshot { snapshots in
            for await _ in snapshots {
                // `refusal` and an event report the error.
                _ = try? reload()
            }
        }
        try Task.checkCancellation()
    }

    /// Applies the current configuration, for a program that learns of changes by other means.
    /// - Returns: Whether any value changed.
    /// - Throws: A ``ConfigurationError`` that names the keys with invalid values. The current settings stay in use.
    @discardableResult
    public func reload() throws(ConfigurationError) -> Bool {
        let call = Call(runtime: runtime, events: events)
        do {
            let changed = try reloadLock.withLock { _ throws(ConfigurationError) in
                do throws(ConfigurationError) {
                    return try replace(by: config.snapshot())
                } catch {
                    state.withLock { $0.refusal = error }
                    throw error
                }
            }
            guard !changed.isEmpty else { return false }
            call.emit(.settingsReplaced, from: "ReloadableClient", ["keys": .list(changed)])
            return true
        } catch {
            var attributes = call.attributes(of: error)
            attributes["keys"] = .list(error.keys)
            call.emit(.settingsRefused, from: "ReloadableClient", attributes)
            throw error
        }
    }

    /// - Returns: The keys whose values changed.
    private func replace(
        by snapshot: ConfigSnapshotReader
    ) throws(ConfigurationError) -> [String] {
        let before = state.withLock { $0 }
        var configured = try ConfiguredSettings(snapshot, defaults)
        let found = configured.values.found
        let changed = Set(found.keys).union(before.found.keys)
            .filter { found[$0] != before.found[$0] }
        guard !changed.isEmpty else {
            state.withLock { $0.refusal = nil }
            return []
        }
        configured.settings.strategies.keepState(of: before.settings.strategies)
        let token = SharedToken(configured.settings, after: before.token)
        let client = try configured.client(transport, runtime, events, redaction, token)
        state.withLock { state in
            state.earlier.removeAll { $0.openWork == 0 }
            state.earlier.append(state.client)
            state.client = client
            state.settings = configured.settings
            state.found = found
            state.token = token
            state.refusal = nil
        }
        return changed.sorted()
    }

    private var clients: [HTTP.Client] { state.withLock { $0.earlier + [$0.client] } }
}

extension Event.Value {
    fileprivate static func list(_ keys: [String]) -> Event.Value {
        .text(keys.joined(separator: ", "))
    }
}

extension ReloadableClient: CustomStringConvertible {
    /// The current settings, without the token, the secret and the device.
    public var description: String {
        "ReloadableClient(\(state.withLock(\.settings)))"
    }
}

extension ReloadableClient: CustomReflectable {
    /// The description alone, so that `dump` and debuggers show no secrets.
    public var customMirror: Mirror { Mirror(self, children: ["settings": description]) }
}

extension Event.Name {
    /// New settings are in use: `keys` whose values changed.
    public static let settingsReplaced: Self = "settings.replaced"
    /// A configuration was refused, and the previous settings stay in use: `keys` with invalid values, `error.type`,
    /// `error.message`.
    public static let settingsRefused: Self = "settings.refused"
}
#endif
