import InterceptorKit

/// The page of `/status`: one file that fetches nothing, and comes again every two seconds.
struct StatusPage {
    let board: Board

    var html: String {
        let summary = board.summary
        let upstreams = board.upstreams.map { card(of: $0, summary.upstreams[$0.name]) }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta http-equiv="refresh" content="2">
            <title>Gateway: \(summary.status)</title>
            <style>\(Self.style)</style>
            <main>
            <header>
            <h1>Gateway</h1>
            <span class="state \(summary.status)">\(summary.status)</span>
            <p>\(summary.serving) requests under way · <a href="/status/calls">the last calls</a> ·
            <a href="/health">health</a></p>
            </header>
            <section class="cards">\(upstreams.joined())</section>
            <section class="columns">
            <div><h2>Breakers</h2>\(changes)</div>
            <div><h2>Decisions</h2>\(decisions)</div>
            </section>
            </main>
            </html>
            """
    }

    private func card(of upstream: Upstream, _ summary: Board.Summary.Upstream?) -> String {
        let authority = "\(upstream.origin)"
        let status = upstream.breaker.status(of: authority)
        let figures = upstream.figures.current
        let budget = upstream.budget.tokens(of: authority)
        let share = status.calls == 0 ? "–" : "\(status.failures) of \(status.calls)"
        return """
            <article>
            <h2>\(upstream.name) <span class="state \(status.state)">\(status.state)</span></h2>
            <p class="soft">\(authority)\(status.cause.isEmpty ? "" : " · \(escaped(status.cause))")</p>
            <dl>
            <div><dt>answered</dt><dd>\(figures.answered)</dd></div>
            <div><dt>failed</dt><dd>\(figures.failed)</dd></div>
            <div><dt>fell back</dt><dd>\(figures.fellBack)</dd></div>
            <div><dt>under way</dt><dd>\(upstream.calls.inFlight())</dd></div>
            <div><dt>median</dt><dd>\(time(figures, 0.5))</dd></div>
            <div><dt>99 of 100</dt><dd>\(time(figures, 0.99))</dd></div>
            <div><dt>resends left</dt><dd>\(Int(budget))</dd></div>
            <div><dt>failed lately</dt><dd>\(share)</dd></div>
            </dl>
            \(bars(of: figures.times))
            </article>
            """
    }

    /// The newest calls by their time, on a scale in which ten times as long is as much higher again.
    private func bars(of times: [Double]) -> String {
        let newest = times.suffix(120)
        let bars = newest.enumerated().map { index, time in
            let height = min(36, max(1, 9 * decades(time)))
            let kind = time >= 1000 ? " class=\"slow\"" : ""
            return
                "<rect\(kind) x=\"\(index * 4)\" y=\"\(36 - height)\" width=\"3\" height=\"\(height)\"/>"
        }
        return """
            <svg viewBox="0 0 480 36" preserveAspectRatio="none" role="img"
            aria-label="Times of the newest \(newest.count) calls">\(bars.joined())</svg>
            <p class="soft">the newest \(newest.count) calls: 1 ms to 10 s, from the oldest on</p>
            """
    }

    private func decades(_ milliseconds: Double) -> Double {
        var (rest, decades) = (max(1, milliseconds), 0.0)
        while rest >= 10 { (rest, decades) = (rest / 10, decades + 1) }
        return decades + (rest - 1) / 9
    }

    private func time(_ figures: Figures.Values, _ share: Double) -> String {
        figures.time(of: share).map { "\(Int($0.rounded())) ms" } ?? "–"
    }

    private var changes: String {
        let entries = board.journal.entries.suffix(10).reversed()
        guard !entries.isEmpty else { return "<p class=\"soft\">None has changed.</p>" }
        let rows = entries.map { entry in
            let age = entry.instant.duration(to: Runtime.live.now).components.seconds
            return """
                <tr><td class="soft number">\(age) s ago</td><td class="short">\(entry.upstream)</td>
                <td class="short"><span class="state \(entry.change.to)">\(entry.change.to)</span></td>
                <td class="soft">\(escaped(entry.change.cause))</td></tr>
                """
        }
        return "<table>\(rows.joined())</table>"
    }

    private var decisions: String {
        let counts = board.metrics.current.prefix(14)
        guard !counts.isEmpty else { return "<p class=\"soft\">None was made.</p>" }
        let rows = counts.map { name, count in
            let parts = name.replacing("interceptorkit.", with: "")
                .split(separator: " (", maxSplits: 1)
            let detail = parts.count > 1 ? parts[1].dropLast() : ""
            return """
                <tr><td class="number">\(count)</td><td class="short">\(escaped(String(parts[0])))</td>
                <td class="soft">\(escaped(String(detail)))</td></tr>
                """
        }
        return "<table>\(rows.joined())</table>"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing("\"", with: "&quot;")
    }
}
