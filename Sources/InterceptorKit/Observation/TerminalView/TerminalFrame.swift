/// Lines that show calls in flight, none wider than the terminal.
struct TerminalFrame {
    let calls: CallsInFlight
    let now: Runtime.Instant
    /// Columns.
    let width: Int
    /// How many calls to show at most.
    let rows: Int

    private static let barLength = 20

    /// A line for each call, the oldest first; a last one counts those there is no room for.
    var lines: [String] {
        let flights = calls.sorted
        var lines = flights.prefix(rows).map(line)
        if flights.count > rows {
            lines.append("and \(flights.count - rows) more".truncated(to: width))
        }
        return lines
    }

    /// All in one line, for terminals that cannot move up.
    var summary: String {
        let flights = calls.sorted
        guard let first = flights.first else { return "" }
        let others = flights.count > 1 ? "\(flights.count) calls: " : ""
        return "\(others)\(first.title.printable)  \(state(of: first))".truncated(to: width)
    }

    private func line(_ flight: CallsInFlight.Flight) -> String {
        let state = state(of: flight)
        // The state is never wider than half, so that there is room to say whose it is.
        let right = state.truncated(to: max(width / 2, width - 2 - flight.title.printable.columns))
        let room = max(0, width - right.columns - 2)
        let title = flight.title.printable.truncated(to: room)
        let gap = String(repeating: " ", count: max(0, width - title.columns - right.columns))
        return (title + gap + right).truncated(to: width)
    }

    private func state(of flight: CallsInFlight.Flight) -> String {
        let seconds = flight.start.duration(to: now).inSeconds
        let attempt = flight.attempt > 1 ? ["attempt \(flight.attempt)"] : []
        let doing = flight.progress.map(text) ?? waiting(flight).map { [$0] } ?? []
        return (attempt + doing + ["\(max(0, seconds).tenths) s"]).joined(separator: "  ")
    }

    private func waiting(_ flight: CallsInFlight.Flight) -> String? {
        guard let last = flight.open.last, last.kind == .wait else { return nil }
        return "waits: \(last.name.printable)"
    }

    private func text(_ progress: CallsInFlight.Progress) -> [String] {
        let verb = progress.isUpload ? "sent" : "received"
        guard let total = progress.total, total > 0 else {
            return ["\(verb) \(progress.bytes.byteCount)"]
        }
        let share = min(1, max(0, Double(progress.bytes) / Double(total)))
        let percent = "\(Int(share * 100)) %"
        let count = "\(verb) \(progress.bytes.byteCount) of \(total.byteCount)"
        guard width >= 100 else { return [count, percent] }
        let filled = Int(share * Double(Self.barLength))
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: "-", count: Self.barLength - filled)
        return [count, "[\(bar)]", percent]
    }
}

extension Double {
    // With one decimal, always.
    fileprivate var tenths: String {
        let tenths = Int((Swift.min(self, 1e9) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Int {
    // In decimal units, as in `3.4 MB`.
    fileprivate var byteCount: String {
        guard self >= 1000 else { return "\(self) B" }
        var value = Double(self) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.95, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        return "\(value.tenths) \(units.first ?? "")"
    }
}
