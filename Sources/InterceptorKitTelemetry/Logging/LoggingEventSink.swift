#if Logging
public import InterceptorKit
public import Logging

/// Writes the events of calls to a logger: one line at the end of each call, and more if the level allows.
///
/// ```swift
/// let log = LoggingEventSink(Logger(label: "orders"))
/// let api = try HTTP.Client(transport: transport, events: log) {
///     RetryInterceptor(policy: .standard)
/// }
/// _ = try await api.send(.get("https://api.example.com/orders/7"))
/// // GET https://api.example.com/orders/7 → 200 OK (120 ms)
/// ```
///
/// The logger's handler gets one line at a time and in order, from a bounded queue outside the path of calls, so it may
/// be slow. The logger's metadata provider runs where the event happens, and finds the trace of the caller's task.
/// While the logger's level allows no lines, calls report nothing to the sink, at no cost.
///
/// Requests, responses and errors are redacted before they reach this sink.
public final class LoggingEventSink: EventSink {
    private struct Line: Sendable {
        let level: Logger.Level
        let message: Logger.Message
        let metadata: Logger.Metadata
    }

    /// The log levels of the lines.
    public let levels: LogLevels
    private let logger: Logger
    private let delivery: OrderedDelivery<Line>

    /// Creates a sink.
    /// - Parameters:
    ///   - logger: The logger.
    ///   - levels: The log levels. Defaults to `info` for calls, `warning` for failed calls, and `debug` for sends and
    ///     decisions.
    ///   - limit: The largest number of lines that wait for the handler; further lines are dropped. Defaults to 1,024.
    ///   - runtime: The runtime that starts the writing task. Defaults to the live runtime.
    public init(
        _ logger: Logger,
        levels: LogLevels = LogLevels(),
        buffering limit: Int = 1024,
        runtime: Runtime = .live
    ) {
        self.logger = logger
        self.levels = levels
        // Each line already contains the provider's metadata.
        var writer = logger
        if writer.metadataProvider != nil { writer.handler.metadataProvider = nil }
        delivery = OrderedDelivery("log lines", buffering: limit, on: runtime) { [writer] line in
            writer.log(
                level: line.level,
                line.message,
                metadata: line.metadata,
                source: "InterceptorKit"
            )
        }
    }

    /// Whether the logger's level allows any line.
    public var isListening: Bool { logger.logLevel <= levels.highest }

    /// The number of lines dropped because the handler was too slow.
    public var missed: Int { delivery.counts.missed }

    /// Waits until all lines so far have been written.
    public func flush() async { await delivery.flush() }

    public func record(_ event: Event) {
        guard let level = levels.level(of: event), logger.logLevel <= level else { return }
        var metadata = logger.metadataProvider?.get() ?? [:]
        metadata.merge(event.metadata) { $1 }
        delivery.add(Line(level: level, message: "\(event.line)", metadata: metadata))
    }
}

extension Event {
    // Redacted, as all attributes are.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        for (key, value) in attributes where !factsOfLine.contains(key) {
            metadata[key] = .string(value.description.onOneLine)
        }
        metadata["call"] = "\(call)"
        metadata["event"] = "\(name)"
        metadata["attempt"] = "\(attempt)"
        return metadata
    }

    private var factsOfLine: Set<String> {
        guard case .ended = phase, let kind = activity?.kind, kind == .call || kind == .transport
        else { return [] }
        return ["input", "output", "error.message", "duration"]
    }
}
#endif
