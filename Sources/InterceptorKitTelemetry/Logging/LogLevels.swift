#if Logging
import InterceptorKit
public import Logging

/// At which level each sort of line is written; `nil` writes none of it.
public struct LogLevels: Sendable {
    /// A call that was answered, or that nobody wanted any more. Defaults to `info`.
    public var calls: Logger.Level? = .info
    /// A call that failed. Defaults to `warning`.
    public var failures: Logger.Level? = .warning
    /// The end of each attempt's send. Defaults to `debug`.
    public var sends: Logger.Level? = .debug
    /// What interceptors decided: to retry, to refresh, to reject. Defaults to `debug`.
    public var decisions: Logger.Level? = .debug
    /// All else: passes, waits, bodies and their progress. Defaults to `trace`.
    public var details: Logger.Level? = .trace

    /// Creates the default levels.
    public init() {}

    var highest: Logger.Level {
        [calls, failures, sends, decisions, details].compactMap { $0 }.max() ?? .trace
    }

    func level(ofCall ending: Event.Ending) -> Logger.Level? {
        ending == .failed ? failures : calls
    }

    func level(ofDetail event: Event) -> Logger.Level? {
        switch (event.phase, event.activity?.kind) {
        case (.ended, .transport?): sends
        case (.moment, _) where !Self.progress.contains(event.name): decisions
        default: details
        }
    }

    private static let progress: Set<Event.Name> = [.bodySent, .bodyReceived]
}
#endif
