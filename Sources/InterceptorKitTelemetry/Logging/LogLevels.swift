#if Logging
import InterceptorKit
public import Logging

/// The log level of each kind of line; `nil` disables the kind.
public struct LogLevels: Sendable {
    /// The level of a call that succeeded or was cancelled. Defaults to `info`.
    public var calls: Logger.Level? = .info
    /// The level of a failed call. Defaults to `warning`.
    public var failures: Logger.Level? = .warning
    /// The level of the end of each send. Defaults to `debug`.
    public var sends: Logger.Level? = .debug
    /// The level of decisions by interceptors, such as to retry, refresh or reject. Defaults to `debug`.
    public var decisions: Logger.Level? = .debug
    /// The level of all other events: passes, waits, bodies and their progress. Defaults to `trace`.
    public var details: Logger.Level? = .trace

    /// Creates the default levels.
    public init() {}

    var highest: Logger.Level {
        [calls, failures, sends, decisions, details].compactMap { $0 }.max() ?? .trace
    }

    /// The level of an event's line; `nil` for no line.
    func level(of event: Event) -> Logger.Level? {
        switch (event.phase, event.activity?.kind) {
        case (.began, .call?): nil
        case (.ended(let ending), .call?): ending == .failed ? failures : calls
        case (.ended, .transport?): sends
        case (.moment, _) where !Self.progress.contains(event.name): decisions
        default: details
        }
    }

    private static let progress: Set<Event.Name> = [.bodySent, .bodyReceived]
}
#endif
