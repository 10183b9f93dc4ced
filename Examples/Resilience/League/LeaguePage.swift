/// The league as a page that stands alone: one table, and a chart for each scenario. No scripts, nothing
/// fetched, light and dark.
struct LeaguePage {
    let rows: [League.Row]
    let seeds: Range<UInt64>

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Goodput and harm on every bad day</title>
        <style>
        \(Page.style)
        \(Self.style)
        </style>
        </head>
        <body>
        <a class="skip" href="#scenarios">Skip to the charts</a>
        <header>
        <h1>Goodput and harm on every bad day</h1>
        <p>\(introduction)</p>
        </header>
        <main>
        \(table)
        \(legend)
        <div id="scenarios" class="grid-of-figures">
        \(rows.map(figure).joined(separator: "\n"))
        </div>
        \(sources)
        </main>
        <footer><p>\(rows.summary). Means of \(seeds.count) seeds from \(seeds.lowerBound); the same \
        command draws the same page.</p></footer>
        </body>
        </html>

        """
    }

    private var introduction: String {
        """
        All clients together make 40 calls a second to a service. A call may take \
        3 s and an attempt 0.5 s, or 30 s and 10 s where a name says 10/30, for every strategy. \
        Each strategy meets the same calls, and each request draws the same luck. The table shows the calls \
        that succeed in time, from the cause's begin to 10 s after its end, in percent of the ideal: a policy \
        that knows the service's capacity, sends what can be answered in time, and again while there is time. \
        With several clients no one can know what the others send, so the ideal admits calls with the \
        probability capacity ÷ load, and a strategy that waits can do better. Beside it stands the harm: the \
        calls that succeed without a strategy, whatever this client sends, and that this one fails or delays.
        """
    }

    private var strategies: [LeagueStrategy] { rows.first?.strategies ?? [] }

    // MARK: Table

    private var table: String {
        let columns = strategies.indices.filter { strategies[$0].kind != .ideal }
        let head = columns.map { index in
            let strategy = strategies[index]
            return "<th scope=\"col\" class=\"\(strategy.kind)\">\(strategy.name.escaped)</th>"
        }
        let body = rows.map { row in
            let shares = columns.map { row.share(row.scores[$0]) }
            let best = shares.max() ?? 0
            let cells = zip(columns, shares).map { index, share in
                let isBest = share > best - 0.005
                return """
                    <td class="\(strategies[index].kind)\(isBest ? " best" : "")">\
                    \(Int((share * 100).rounded()))\(harm(row.scores[index].harm))</td>
                    """
            }
            return """
                <tr><th scope="row"><a href="#\(id(of: row))">\(row.scenario.name), \(row.clients)</a></th>\
                <td>\(Int(((row.score(.ideal)?.goodput ?? 0) * 100).rounded())) %</td>\
                \(cells.joined())<td>\((row.score(.standard)?.sends ?? 0).hundredths)</td></tr>
                """
        }
        let sums = columns.map { index in
            let sum = rows.reduce(0) { $0 + $1.scores[index].harm }
            return
                "<td class=\"\(strategies[index].kind)\">\(harm(sum).isEmpty ? "0" : harm(sum))</td>"
        }
        return """
            <section aria-labelledby="table"><h2 id="table">Percent of the ideal, and calls harmed</h2>
            <div class="table" tabindex="0" role="region" aria-label="All strategies"><table class="league">
            <thead><tr><th scope="col">Scenario, clients</th><th scope="col">ideal: calls that succeed</th>\
            \(head.joined())<th scope="col">sends per call, standard</th></tr></thead>
            <tbody>
            \(body.joined(separator: "\n"))
            </tbody>
            <tfoot><tr><th scope="row">calls harmed, in all</th><td></td>\(sums.joined())<td></td></tr></tfoot>
            </table></div>
            <p class="small">Bold and underlined: within half a percent of the best strategy of the row. \
            <span class="harm">−7</span>: of the calls of all seeds, 7 were harmed.</p></section>
            """
    }

    /// A number of harmed calls, where there are any.
    private func harm(_ count: Int) -> String {
        count == 0 ? "" : #" <span class="harm" title="calls harmed">−\#(count)</span>"#
    }

    // MARK: Charts

    private var legend: String {
        let lines = [
            ("ideal", "ideal"), ("bare", "bare"), ("peer", "best peer"),
            ("standard", "standard pipeline"),
        ]
        let items = lines.map { name, text in
            """
            <li><svg class="key" viewBox="0 0 28 12" aria-hidden="true">\
            <polyline class="\(name)" points="0,6 28,6"/></svg>\(text)</li>
            """
        }
        return "<ul class=\"legend\" aria-label=\"Legend\">\(items.joined())</ul>"
    }

    private func id(of row: League.Row) -> String { "\(row.scenario.name)-\(row.clients)" }

    private func figure(_ row: League.Row) -> String {
        let clients = row.clients == 1 ? "one client" : "\(row.clients) clients"
        let peer = row.bestPeer
        let standard = row.score(.standard)
        return """
            <figure id="\(id(of: row))" tabindex="0">
            <figcaption><h2>\(row.scenario.name), \(clients)</h2>
            <p>\(row.scenario.summary.escaped). Best peer: \((peer?.name ?? "none").escaped). Standard: \
            \((standard?.sends ?? 0).hundredths) sends per call, 99 % of successes within \
            \((standard?.latency99 ?? 0).tenths) s, again in \((standard?.recovery ?? 0).tenths) s, \
            \(standard?.harm ?? 0) calls harmed (best peer: \(peer?.score.harm ?? 0)).</p></figcaption>
            \(chart(row))
            </figure>
            """
    }

    private static let plot = (left: 46.0, right: 550.0, top: 10.0, bottom: 170.0)

    private func chart(_ row: League.Row) -> String {
        let length = row.scenario.length
        func x(_ second: Double) -> Double {
            Self.plot.left + (Self.plot.right - Self.plot.left) * second / length
        }
        func y(_ share: Double) -> Double {
            Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * share
        }
        func line(_ name: String, _ score: Score?) -> String {
            let points = (score?.perSecond ?? []).prefix(Int(length)).enumerated().map {
                second,
                share in
                "\(x(Double(second) + 0.5).text),\(y(share).text)"
            }
            return "<polyline class=\"\(name)\" points=\"\(points.joined(separator: " "))\"/>"
        }
        let cause = row.scenario.cause
        let grid = [0, 0.5, 1].map { share in
            """
            <line class="grid" x1="\(Self.plot.left.text)" x2="\(Self.plot.right.text)" \
            y1="\(y(share).text)" y2="\(y(share).text)"/>\
            <text x="\((Self.plot.left - 6).text)" y="\(y(share).text)" dy="4" text-anchor="end">\
            \(Int(share * 100)) %</text>
            """
        }
        let ticks = stride(from: 0, through: Int(length), by: 10).map { second in
            let anchor = Double(second) > length - 1 ? "end" : "middle"
            return """
                <text x="\(x(Double(second)).text)" y="\((Self.plot.bottom + 16).text)" \
                text-anchor="\(anchor)">\(second) s</text>
                """
        }
        let name = id(of: row)
        return """
            <svg viewBox="0 0 560 192" role="img" aria-labelledby="\(name)-title">
            <title id="\(name)-title">Share of the calls of each second that succeed: \
            \(row.line.escaped)</title>
            <rect class="brown-out" x="\(x(cause.lowerBound).text)" y="\(Self.plot.top.text)" \
            width="\((x(cause.upperBound) - x(cause.lowerBound)).text)" \
            height="\((Self.plot.bottom - Self.plot.top).text)"/>
            \((grid + ticks).joined(separator: "\n"))
            \(line("ideal", row.score(.ideal)))
            \(line("bare", row.score(.bare)))
            \(line("peer", row.bestPeer?.score))
            \(line("standard", row.score(.standard)))
            </svg>
            """
    }

    // MARK: Sources

    private var sources: String {
        let items = strategies.filter { $0.kind == .peer }.map {
            "<li><strong>\($0.name.escaped)</strong>: \($0.source.escaped)</li>"
        }
        return """
            <section aria-labelledby="sources"><h2 id="sources">Where the peers' numbers come from</h2>
            <ul class="small">\(items.joined())</ul></section>
            """
    }

    private static let style = """
        table.league th, table.league td { padding: .2rem .5rem .2rem 0; font-size: .85rem; }
        table.league thead th { writing-mode: vertical-rl; transform: rotate(180deg);
          text-align: left; white-space: nowrap; }
        table.league td.standard, table.league th.standard { background: var(--area);
          font-weight: 600; }
        table.league td.best { font-weight: 700; text-decoration: underline; }
        .harm { color: var(--budget); font-weight: 600; white-space: nowrap; }
        td .harm { display: inline-block; width: 100%; }
        .ideal { stroke: var(--soft); stroke-dasharray: 2 4; }
        .bare { stroke: var(--budget); stroke-dasharray: 7 4; }
        .peer { stroke: var(--sends); }
        polyline.standard { stroke: var(--success); stroke-width: 2.6; }
        """
}
