extension Page {
    // Colours by Okabe and Ito, which most kinds of colour blindness tell apart; dashes and hatching say the
    // same without colour.
    static let style = """
        :root {
          --ground: #ffffff; --card: #f7f8fa; --text: #1c2126; --soft: #56606b; --line: #d8dde3;
          --offered: #56606b; --sends: #b84a00; --success: #0067a3; --area: #0067a326;
          --brown-out: #e69f0026; --open: #b84a00; --closed: #c9e3d6; --budget: #7a3e75;
          --focus: #0067a3;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171a; --card: #1d2126; --text: #e8ebee; --soft: #a9b3bd; --line: #363d45;
            --offered: #a9b3bd; --sends: #f0a04b; --success: #6cc0f0; --area: #6cc0f02e;
            --brown-out: #e69f0024; --open: #e0762f; --closed: #2c5443; --budget: #d69ad0;
            --focus: #6cc0f0;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 1280px; padding: 1.5rem; background: var(--ground);
          color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
        h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .6rem; }
        h2 { font-size: 1.1rem; margin: 0; }
        header p { max-width: 78ch; margin: 0 0 1.2rem; }
        a { color: var(--success); }
        :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
        .skip { position: absolute; left: -999px; }
        .skip:focus { position: static; }
        .small { color: var(--soft); font-size: .85rem; margin: .4rem 0 0; }
        .table { overflow-x: auto; }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: .5rem; }
        th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid var(--line); }
        th:first-child { text-align: left; font-weight: 600; }
        thead th { color: var(--soft); font-weight: 500; font-size: .85rem; vertical-align: bottom; }
        .legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; padding: .7rem 0;
          margin: 1.2rem 0 .8rem; position: sticky; top: 0; background: var(--ground);
          border-bottom: 1px solid var(--line); font-size: .9rem; z-index: 1; }
        .legend li { display: flex; align-items: center; gap: .5rem; }
        .key { width: 28px; height: 12px; }
        .grid-of-figures { display: grid; gap: 1.2rem;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 480px), 1fr)); }
        figure { margin: 0; padding: 1rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 10px; scroll-margin-top: 4rem; display: grid; grid-row: span 3;
              grid-template-rows: subgrid; row-gap: 0; }
        figcaption p { margin: .2rem 0 .6rem; color: var(--soft); font-size: .92rem; }
        figure svg { width: 100%; height: auto; display: block; }
        svg text { font-size: 12px; fill: var(--soft); }
        svg text.note { font-size: 11px; }
        svg .axis { fill: var(--text); }
        .grid { stroke: var(--line); stroke-width: 1; }
        polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
        .offered { stroke: var(--offered); stroke-dasharray: 5 4; stroke-width: 1.6; }
        .sends { stroke: var(--sends); }
        .successes { stroke: var(--success); stroke-width: 2.4; }
        .success-area { fill: var(--area); }
        .brown-out { fill: var(--brown-out); }
        .budget { stroke: var(--budget); }
        .closed { fill: var(--closed); }
        .open { fill: var(--open); }
        .half-open { fill: url(#hatch); }
        .hatch-ground { fill: var(--card); }
        .hatch-line { fill: var(--open); }
        details { margin-top: .6rem; font-size: .88rem; }
        summary { cursor: pointer; }
        pre { overflow-x: auto; padding: .6rem; background: var(--ground); border: 1px solid var(--line);
          border-radius: 6px; }
        footer { color: var(--soft); font-size: .85rem; margin-top: 1.5rem; }
        @media print { .legend { position: static; } figure { break-inside: avoid; } }
        """
}
