import InterceptorKit

extension TimelinePage {
    // The panel of details, narrow windows and paper.
    static let detailStyle = #"""
        aside { position: sticky; top: 4.2rem; max-height: calc(100vh - 5.2rem); overflow: auto;
          margin-top: 1.4rem; padding: 1rem 1.1rem 1.3rem; background: var(--raised); border: 1px solid var(--line);
          border-radius: 8px; }
        aside .heading { display: flex; align-items: start; justify-content: space-between; gap: .5rem; }
        aside button, .empty button { font: inherit; color: inherit; background: none; border: 1px solid var(--line);
          border-radius: 6px; padding: .15rem .55rem; cursor: pointer; }
        aside button:hover, .empty button:hover { background: var(--hover); }
        aside .what { color: var(--soft); margin-top: .15rem; overflow-wrap: anywhere; }
        aside .ending { display: flex; gap: .35rem; align-items: center; margin: .6rem 0; font-weight: 550; }
        dl { display: grid; grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr); gap: .22rem .9rem;
          margin: 0; font-size: .88rem; }
        dt { color: var(--soft); overflow-wrap: anywhere; max-width: 12.5rem; }
        dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate; }
        dd.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .82rem; }
        dd.hidden-value { color: var(--soft); font-style: italic; font-family: inherit; font-size: .88rem; }
        dd.bad { color: var(--failed); }
        .empty { padding: 2.5rem 0; text-align: center; color: var(--soft); }
        .empty button { margin-top: .8rem; color: var(--text); }
        footer { margin-top: 1.4rem; color: var(--soft); font-size: .82rem; }
        kbd { font: inherit; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px;
          padding: 0 .3rem; color: var(--text); }
        [hidden] { display: none !important; }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

        @media (max-width: 900px) {
          #page { padding: 1rem .9rem 3rem; }
          #layout.detailed { grid-template-columns: minmax(0, 1fr); }
          .row, #layout.detailed .row { grid-template-columns: minmax(0, 1fr) max-content 4.4rem; }
          .row > .name { grid-column: 1; }
          .row > .own { display: none; }
          .row > .lane { grid-column: 1 / -1; height: 20px; min-height: 20px; }
          .row.scale > .name, .row.scale > .result, .row.scale > .time { display: none; }
          .head > :not(.lane) { display: none; }
          .call .row, .call .row.top { padding: .3rem .6rem .2rem; border-top: 1px solid var(--grid); }
          .call .row.top { border-top: 0; }
          .result { max-width: 7.5rem; }
          .row .swatch, .name .host { display: none; }
          .indent { width: calc(var(--depth) * 8px); }
          .call { contain-intrinsic-size: auto 60px; }
          .keys { display: none; }
          aside { position: fixed; inset: auto 0 0 0; top: auto; margin: 0; max-height: 62vh; z-index: 4;
            border-radius: 12px 12px 0 0; box-shadow: 0 -6px 24px #0004; }
        }
        @media print {
          .tools, footer, aside { display: none; }
          .call { content-visibility: visible; break-inside: avoid; }
        }
        @media (prefers-reduced-motion: no-preference) { .chevron { transition: transform .12s; } }
        """#
}
