/// Draws a record as SVG: what was offered, sent and answered, and below it breaker and budget.
struct Chart {
    let run: Run
    let conditions: Run.Conditions
    /// The top of the scale, the same for all strategies so that they can be compared by eye.
    let top: Int

    private static let width = 560.0
    private static let plot = (left: 46.0, right: 548.0, top: 14.0, bottom: 176.0)
    private static let strip = (top: 222.0, height: 12.0)
    private static let budget = (top: 262.0, bottom: 296.0)

    private var record: Record { run.record }
    private var length: Double { Double(record.seconds.count) }

    var svg: String {
        let id = run.strategy.id
        return """
            <svg viewBox="0 0 560 302" role="img" aria-labelledby="\(id)-title \(id)-desc">
            <title id="\(id)-title">\(run.strategy.name.escaped): calls and sends a second</title>
            <desc id="\(id)-desc">\(description)</desc>
            \(brownOut)
            \(yAxis)
            \(xAxis)
            \(successes)
            \(line("offered", values(\.offered)))
            \(line("sends", values(\.sends)))
            \(breakerStrip)
            \(budgetPlot)
            </svg>
            """
    }

    private var description: String {
        "\(record.offered) calls, \(record.sends) sends, \(record.successes) successes. "
            + "The backend browns out from second \(Int(start)) to second \(Int(end))."
    }

    private var start: Double { conditions.backend.brownOut.lowerBound / .seconds(1) }
    private var end: Double { conditions.backend.brownOut.upperBound / .seconds(1) }

    // MARK: Scales

    private func x(_ second: Double) -> Double {
        Self.plot.left + (Self.plot.right - Self.plot.left) * min(max(second / length, 0), 1)
    }

    private func y(_ value: Double) -> Double {
        Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * min(value / Double(top), 1)
    }

    // MARK: Axes

    private var brownOut: String {
        """
        <rect class="brown-out" x="\(x(start).text)" y="\(Self.plot.top.text)" \
        width="\((x(end) - x(start)).text)" height="\((Self.budget.bottom - Self.plot.top).text)"/>
        <text class="note" x="\(((x(start) + x(end)) / 2).text)" y="\((Self.plot.top + 14).text)" \
        text-anchor="middle">brown-out</text>
        """
    }

    private var yAxis: String {
        let step = top / 4
        let ticks = stride(from: 0, through: top, by: step).map { value in
            let y = y(Double(value)).text
            return """
                <line class="grid" x1="\(Self.plot.left.text)" x2="\(Self.plot.right.text)" y1="\(y)" y2="\(y)"/>
                <text x="\((Self.plot.left - 6).text)" y="\(y)" dy="4" text-anchor="end">\(value)</text>
                """
        }
        return ticks.joined(separator: "\n")
            + """
            \n<text class="axis" transform="translate(11 95) rotate(-90)" text-anchor="middle">a second</text>
            """
    }

    private var xAxis: String {
        stride(from: 0, through: Int(length), by: 15).map { second in
            let x = x(Double(second)).text
            // The last one stays within the picture.
            let anchor = second == Int(length) ? "end" : "middle"
            return """
                <text x="\(x)" y="\((Self.plot.bottom + 16).text)" text-anchor="\(anchor)">\(second) s</text>
                """
        }
        .joined(separator: "\n")
    }

    // MARK: Series

    private func values(_ path: KeyPath<Record.Second, Int>) -> [Double] {
        record.seconds.map { Double($0[keyPath: path]) }
    }

    private func points(_ values: [Double]) -> String {
        values.enumerated().map { second, value in
            "\(x(Double(second) + 0.5).text),\(y(value).text)"
        }
        .joined(separator: " ")
    }

    private func line(_ name: String, _ values: [Double]) -> String {
        "<polyline class=\"\(name)\" points=\"\(points(values))\"/>"
    }

    private var successes: String {
        let values = values(\.successes)
        let (first, last) = (x(0.5).text, x(length - 0.5).text)
        let base = Self.plot.bottom.text
        return """
            <polygon class="success-area" points="\(first),\(base) \(points(values)) \(last),\(base)"/>
            \(line("successes", values))
            """
    }

    // MARK: Breaker and budget

    private var breakerStrip: String {
        let line = Self.strip.top - 6
        guard run.strategy.hasBreaker else { return caption("no breaker", at: line) }
        let changes = [Record.Change(second: 0, value: Record.Breaker.closed)] + record.breaker
        let ends = changes.dropFirst().map(\.second) + [length]
        let parts = zip(changes, ends).map { change, end in
            """
            <rect class="\(change.value.rawValue)" x="\(x(change.second).text)" \
            y="\(Self.strip.top.text)" width="\((x(end) - x(change.second)).text)" \
            height="\(Self.strip.height.text)"/>
            """
        }
        return ([caption("breaker", at: line)] + parts).joined(separator: "\n")
    }

    private var budgetPlot: String {
        let line = Self.budget.top - 8
        guard !record.budget.isEmpty else { return caption("no budget", at: line) }
        let most = max(1, record.budget.map(\.value).max() ?? 1).rounded(.up)
        func y(_ value: Double) -> Double {
            Self.budget.bottom - (Self.budget.bottom - Self.budget.top) * max(value, 0) / most
        }
        let ticks = [0, most].map { value in
            """
            <line class="grid" x1="\(Self.plot.left.text)" x2="\(Self.plot.right.text)" \
            y1="\(y(value).text)" y2="\(y(value).text)"/>
            <text x="\((Self.plot.left - 6).text)" y="\(y(value).text)" dy="4" text-anchor="end">\
            \(Int(value))</text>
            """
        }
        let points = record.budget.map { "\(x($0.second).text),\(y($0.value).text)" }
        let curve = "<polyline class=\"budget\" points=\"\(points.joined(separator: " "))\"/>"
        return ([caption("budget: sends again that are left", at: line)] + ticks + [curve])
            .joined(separator: "\n")
    }

    private func caption(_ text: String, at y: Double) -> String {
        "<text class=\"note\" x=\"\(Self.plot.left.text)\" y=\"\(y.text)\">\(text)</text>"
    }
}

extension Double {
    /// With one decimal, as coordinates need no more.
    var text: String {
        let tenths = Int((self * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}

extension String {
    /// As text in a page.
    var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
