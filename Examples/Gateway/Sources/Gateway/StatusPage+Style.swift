extension StatusPage {
    static let style = """
        :root { color-scheme: light dark; --ground: #fff; --card: #f6f7f9; --text: #1b2026;
          --soft: #57616c; --line: #dde1e6; --good: #00795c; --wait: #9a6000; --bad: #b3261e;
          --bar: #4a90c2; }
        @media (prefers-color-scheme: dark) {
          :root { --ground: #14171a; --card: #1b1f24; --text: #e8ebee; --soft: #a4aeb8;
            --line: #343b43; --good: #3fc39c; --wait: #e6a93c; --bad: #ff8a7a; --bar: #4aa8e0; } }
        * { box-sizing: border-box; margin: 0; }
        body { background: var(--ground); color: var(--text); padding: 2rem;
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
          font-variant-numeric: tabular-nums; }
        main { max-width: 1200px; margin: 0 auto; }
        header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1rem;
          margin-bottom: 1.4rem; }
        header p { margin-left: auto; color: var(--soft); }
        a { color: inherit; }
        h1 { font-size: 1.6rem; font-weight: 650; }
        h2 { font-size: 1.1rem; font-weight: 650; margin-bottom: .35rem; }
        .soft { color: var(--soft); }
        .state { font-size: .8rem; font-weight: 600; padding: .1rem .55rem; border-radius: 1rem;
          border: 1px solid currentColor; color: var(--wait); white-space: nowrap; }
        .ok, .closed { color: var(--good); }
        .open, .isolated { color: var(--bad); }
        .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr));
          gap: 1.2rem; }
        article { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
          padding: 1.1rem 1.3rem; }
        article h2 { display: flex; align-items: center; gap: .7rem; }
        dl { display: grid; grid-template-columns: repeat(4, 1fr); gap: .9rem .6rem;
          margin: 1rem 0; }
        dt { color: var(--soft); font-size: .82rem; }
        dd { font-size: 1.05rem; font-weight: 600; }
        svg { width: 100%; height: 48px; display: block; border-bottom: 1px solid var(--line);
          fill: var(--bar); margin-bottom: .3rem; }
        svg .slow { fill: var(--wait); }
        article svg + p { font-size: .82rem; }
        .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr));
          gap: 1.2rem 2.4rem; margin-top: 1.8rem; }
        table { width: 100%; border-collapse: collapse; }
        td { padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line);
          vertical-align: top; overflow-wrap: anywhere; }
        .short, .number { white-space: nowrap; width: 1%; }
        .number { text-align: right; }
        """
}
