/// Shows the calls in flight in a terminal, while there are any.
///
/// ```swift
/// let api = try HTTP.Client(transport: transport, events: TerminalView()) { … }
/// ```
///
/// A line for each call says what it is, how far its upload or download has come, and for how long it
/// has been under way. The lines are drawn anew at most ten times a second, off the path of the
/// calls, and are gone when the last call has ended. Calls that end within a tenth of a second are not shown.
/// Where the output is no terminal nothing is drawn, and calls report nothing for it.
public final class TerminalView: EventSink {
    private struct State {
        var calls = CallsInFlight()
        var drawing: Task<Void, Never>?
    }

    // Ten a second.
    private static let interval = Duration.milliseconds(100)

    public let redaction: Redaction
    private let terminal: Terminal
    private let rows: Int
    private let runtime: Runtime
    private let state = Lock(State())

    /// Creates a view.
    /// - Parameters:
    ///   - terminal: Where it is drawn. Defaults to the process's error output.
    ///   - rows: How many calls are shown at most, the oldest ones; the others are counted. Defaults to 10.
    ///   - runtime: Runs the task that draws, while there are calls. Must be that of the calls,
    ///     whose times it compares with its own. Defaults to the live runtime.
    ///   - redaction: Decides what may be shown of requests. Defaults to the standard rule.
    public init(
        on terminal: Terminal = .standardError,
        rows: Int = 10,
        runtime: Runtime = .live,
        redaction: Redaction = .standard
    ) {
        self.terminal = terminal
        self.rows = max(1, rows)
        self.runtime = runtime
        self.redaction = redaction
    }

    /// Whether there is a terminal.
    public var isListening: Bool { terminal.kind != .none }

    public func record(_ event: Event) {
        guard isListening else { return }
        state.withLock { state in
            state.calls.note(event)
            if state.drawing == nil, !state.calls.isEmpty {
                state.drawing = runtime.start("terminal view") { await self.draw() }
            }
        }
    }

    /// Returns when no call is in flight any more and the lines are gone.
    public func finish() async { await state.withLock(\.drawing)?.value }

    private func draw() async {
        var drawn = 0
        while (try? await runtime.sleep(for: Self.interval)) != nil {
            let calls = state.withLock(\.calls)
            if calls.isEmpty {
                erase(drawn)
                drawn = 0
                if isOver() { return }
            } else if terminal.isReady() {
                drawn = show(calls, over: drawn)
            }
        }
        erase(drawn)
        state.withLock { $0.drawing = nil }
    }

    /// - Returns: How many lines were drawn; how many columns of the one on a plain terminal.
    private func show(_ calls: CallsInFlight, over drawn: Int) -> Int {
        let frame = TerminalFrame(
            calls: calls,
            now: runtime.now,
            width: max(1, terminal.width() - 1),
            rows: rows
        )
        guard terminal.kind == .full else {
            let line = frame.summary
            let rest = String(repeating: " ", count: max(0, drawn - line.columns))
            terminal.write("\r\(line)\(rest)")
            return line.columns
        }
        let lines = frame.lines
        terminal.write(Self.erasure(drawn) + lines.map { $0 + "\n" }.joined())
        return lines.count
    }

    private func erase(_ drawn: Int) {
        guard drawn > 0 else { return }
        terminal.write(
            terminal.kind == .full
                ? Self.erasure(drawn) : "\r\(String(repeating: " ", count: drawn))\r"
        )
    }

    // Up to the first of the lines, then erase all below (CPL and ED of ECMA-48, section 8.3).
    private static func erasure(_ lines: Int) -> String {
        lines == 0 ? "" : "\u{1B}[\(lines)F\u{1B}[J"
    }

    // The task ends under the same lock that looks for it, so no call is left without one.
    private func isOver() -> Bool {
        state.withLock { state in
            guard state.calls.isEmpty else { return false }
            state.drawing = nil
            return true
        }
    }
}
