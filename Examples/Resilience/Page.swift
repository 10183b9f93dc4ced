/// A page that stands alone: no scripts, nothing fetched, light and dark.
struct Page {
    let runs: [Run]
    let conditions: Run.Conditions

    /// The top of the runs' scale: four steps of a round number that hold the most of a second.
    private var top: Int {
        let most = runs.flatMap(\.record.seconds).map { max($0.sends, $0.offered) }.max() ?? 0
        let steps = [5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 300, 500]
        return 4 * (steps.first { $0 * 4 >= most } ?? (most + 3) / 4)
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>What each resilience strategy buys</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <a class="skip" href="#strategies">Skip to the charts</a>
        <header>
        <h1>What each strategy buys in a brown-out</h1>
        <p>\(introduction)</p>
        </header>
        <main>
        \(summary)
        \(legend)
        <div id="strategies" class="grid-of-figures">
        \(runs.map { figure($0) }.joined(separator: "\n"))
        </div>
        </main>
        <footer><p>Rendered from the events of the runs, which took place in virtual time under seed \
        \(conditions.seed); the same command draws the same page.</p></footer>
        </body>
        </html>

        """
    }

    private var introduction: String {
        let backend = conditions.backend
        let (start, end) = (backend.brownOut.lowerBound, backend.brownOut.upperBound)
        return """
            Callers make \(Int(conditions.rate)) calls a second for \
            \(Int(conditions.length / .seconds(1))) seconds. The backend can answer \
            \(Int(backend.rate)) a second, but from second \(Int(start / .seconds(1))) to second \
            \(Int(end / .seconds(1))) only \(Int(backend.brownedOutRate)). Its queue holds \
            \(backend.queue) requests; more are answered 503 at once, and what nobody waits for any more is \
            worked on all the same. One request in \(backend.oneFailsIn) fails whatever the load. An attempt is given up after \
            \(Int(Strategy.patience / .milliseconds(1))) ms. Each strategy gets the same calls at the same times.
            """
    }

    private var summary: String {
        let rows = runs.map { run in
            let record = run.record
            return """
                <tr><th scope="row"><a href="#\(run.strategy.id)">\(run.strategy.name.escaped)</a></th>\
                <td>\((record.availability * 100).text) %</td>\
                <td>\(harm(of: run))</td>\
                <td>\(record.sends)</td><td>\(record.amplification.hundredths)</td>\
                <td>\(latency(of: record))</td>\
                <td>\(recovery(of: run))</td></tr>
                """
        }
        return """
            <section aria-labelledby="summary"><h2 id="summary">Side by side</h2>
            <div class="table" tabindex="0" role="region" aria-label="Summary of all strategies"><table>
            <thead><tr><th scope="col">Strategy</th><th scope="col">Calls that succeeded</th>\
            <th scope="col">Harm</th>\
            <th scope="col">Sends</th><th scope="col">Sends per call</th>\
            <th scope="col">99 % of answers within</th><th scope="col">Well again after</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div>
            <p class="small">Harm: of the calls that succeed without a strategy, those that fail with it. Answers: those of the ten seconds before the brown-out. Well again: seconds from the end of the brown-out until 95 of 100 calls succeed \
            for five seconds on end.</p></section>
            """
    }

    private var legend: String {
        let lines = [
            ("offered", "calls made"), ("sends", "sends to the backend"),
            ("successes", "calls that succeeded"),
        ]
        let boxes = [
            ("closed", "breaker closed"), ("half-open", "half-open: a probe"),
            ("open", "open: nothing is sent"),
        ]
        let items =
            lines.map { name, text in
                """
                <li><svg class="key" viewBox="0 0 28 12" aria-hidden="true">\
                <polyline class="\(name)" points="0,6 28,6"/></svg>\(text)</li>
                """
            }
            + boxes.map { name, text in
                """
                <li><svg class="key" viewBox="0 0 28 12" aria-hidden="true">\
                <rect class="\(name)" x="1" y="1" width="26" height="10"/></svg>\(text)</li>
                """
            }
        return """
            <svg width="0" height="0" aria-hidden="true"><defs>
            <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect class="hatch-ground" width="5" height="5"/>\
            <rect class="hatch-line" width="2" height="5"/></pattern></defs></svg>
            <ul class="legend" aria-label="Legend">\(items.joined())</ul>
            """
    }

    private func figure(_ run: Run) -> String {
        """
        <figure id="\(run.strategy.id)" tabindex="0">
        <figcaption><h2>\(run.strategy.name.escaped)</h2>
        <p>\(run.strategy.summary.escaped)</p></figcaption>
        \(Chart(run: run, conditions: conditions, top: top).svg)
        <details><summary>The chain and the numbers</summary>
        <pre tabindex="0">\(run.descriptor.escaped)</pre>
        \(numbers(run.record))</details>
        </figure>
        """
    }

    private func numbers(_ record: Record) -> String {
        let rows = stride(from: 0, to: record.seconds.count, by: 5).map { first in
            let seconds = record.seconds[first..<min(first + 5, record.seconds.count)]
            func sum(_ path: KeyPath<Record.Second, Int>) -> Int {
                seconds.reduce(0) { $0 + $1[keyPath: path] }
            }
            return """
                <tr><th scope="row">\(first)–\(first + seconds.count) s</th><td>\(sum(\.offered))</td>\
                <td>\(sum(\.sends))</td><td>\(sum(\.successes))</td><td>\(sum(\.failures))</td></tr>
                """
        }
        return """
            <table><thead><tr><th scope="col">Time</th><th scope="col">Calls</th><th scope="col">Sends</th>\
            <th scope="col">Succeeded</th><th scope="col">Failed</th></tr></thead><tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table>
            """
    }

    private func harm(of run: Run) -> String {
        guard let bare = runs.first(where: { $0.strategy.id == Strategy.bare.id }),
            bare.strategy.id != run.strategy.id
        else { return "–" }
        return "\((run.record.harm(beside: bare.record) * 100).text) %"
    }

    private func latency(of record: Record) -> String {
        let start = conditions.backend.brownOut.lowerBound / .seconds(1)
        let time = record.latency99(in: (start - 10)..<start)
        return time.map { "\(Int($0 / .milliseconds(1))) ms" } ?? "–"
    }

    private func recovery(of run: Run) -> String {
        let end = Int(conditions.backend.brownOut.upperBound / .seconds(1))
        return run.record.recovery(after: end).map { "\($0) s" } ?? "not in this run"
    }
}
