import InterceptorKit

/// A page that stands alone: nothing is fetched, by a policy of its own, and one script draws the data.
struct TimelinePage {
    let title: String
    /// JSON that can stand in a script element.
    let data: String

    var html: String {
        #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\#(title.markupText)</title>
        <style>
        \#(Self.style)
        \#(Self.detailStyle)
        </style>
        </head>
        <body>
        <div id="page">
        <header>
        <h1>\#(title.markupText)</h1>
        <p id="summary"></p>
        <p id="notice" class="notice" hidden></p>
        <noscript><p class="notice">This page draws itself by a script of its own, which is switched off.</p></noscript>
        </header>
        <div class="tools" role="search">
        <input type="search" id="filter" aria-label="Filter calls" placeholder="Filter by method, URL, status, error" autocomplete="off" spellcheck="false">
        <label><input type="checkbox" id="failed-only">Failed only</label>
        <label>Align bars <select id="align"><option value="clock">by the clock</option><option value="start">from their start</option></select></label>
        <span id="count" role="status"></span>
        </div>
        <ul class="legend" aria-label="Legend">
        <li data-kind="interceptor">interceptor</li><li data-kind="attempt">attempt</li><li data-kind="wait">wait</li>
        <li data-kind="transport">transport</li><li data-kind="response_body">response body</li><li data-kind="moment">decision</li>
        <li><span class="mark">✕</span>failed</li><li><span class="mark">!</span>refused (4xx, 5xx)</li><li><span class="mark">⊘</span>cancelled</li><li><span class="mark">…</span>still running</li>
        </ul>
        <div id="layout">
        <main>
        <div id="grid" role="treegrid" aria-label="Calls">
        <div class="row head" role="row"><div role="columnheader">Call</div><div role="columnheader">Result</div><div class="time" role="columnheader">Total</div><div class="own" role="columnheader">Own</div><div class="lane" id="ruler" role="columnheader" aria-label="Time"></div></div>
        </div>
        <div id="empty" class="empty" hidden><p>No call matches.</p><button type="button" id="clear">Clear the filter</button></div>
        </main>
        <aside id="details" aria-label="Details" tabindex="-1" hidden></aside>
        </div>
        <footer class="keys"><kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>→</kbd> <kbd>←</kbd> open and close, <kbd>Enter</kbd> details, <kbd>Esc</kbd> back, <kbd>/</kbd> filter</footer>
        </div>
        <script type="application/json" id="data">\#(data)</script>
        <script>
        (() => {
        \#(Self.model)
        \#(Self.rows)
        \#(Self.controls)
        })();
        </script>
        </body>
        </html>

        """#
    }
}

extension String {
    /// The text with what markup gives a meaning to replaced.
    fileprivate var markupText: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
