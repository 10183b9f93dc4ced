import InterceptorKit

extension TimelinePage {
    // Each kind has a shape beside its colour; colours by Okabe and Ito, which most kinds of colour
    // blindness tell apart.
    static let style = #"""
        :root {
          --ground: #ffffff; --card: #f6f7f9; --raised: #ffffff; --text: #1b2026; --soft: #57616c;
          --line: #dde1e6; --grid: #eceff2; --hover: #eef2f6; --focus: #0067a3;
          --call: #57616c; --interceptor: #77828d; --attempt: #57616c; --transport: #0067a3; --sent: #9fd3f5;
          --wait: #c27a00; --body: #00795c; --moment: #8a3f83; --failed: #b3261e; --good: #00795c;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #14171a; --card: #1b1f24; --raised: #1f2429; --text: #e8ebee; --soft: #a4aeb8;
            --line: #343b43; --grid: #252b31; --hover: #232930; --focus: #6cc0f0;
            --call: #a4aeb8; --interceptor: #8b96a1; --attempt: #a4aeb8; --transport: #4aa8e0; --sent: #0b3a57;
            --wait: #e6a93c; --body: #3fc39c; --moment: #dc9ad5; --failed: #ff8a7a; --good: #3fc39c;
          }
        }
        * { box-sizing: border-box; }
        html { color-scheme: light dark; }
        body { margin: 0; background: var(--ground); color: var(--text);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
          font-variant-numeric: tabular-nums; }
        #page { max-width: 1680px; margin: 0 auto; padding: 1.5rem 1.5rem 3rem; }
        h1 { font-size: 1.5rem; line-height: 1.2; font-weight: 650; margin: 0 0 .3rem; }
        h2 { font-size: 1.05rem; line-height: 1.3; font-weight: 650; margin: 0; overflow-wrap: anywhere; }
        h3 { font-size: .78rem; font-weight: 600; color: var(--soft); margin: 1.2rem 0 .35rem; }
        p { margin: 0; }
        header p { color: var(--soft); }
        header strong { color: var(--text); font-weight: 600; }
        .notice { margin-top: .5rem; padding: .4rem .7rem; border-left: 3px solid var(--wait);
          background: var(--card); color: var(--text); max-width: 80ch; }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }

        .tools { position: sticky; top: 0; z-index: 3; display: flex; flex-wrap: wrap; align-items: center;
          gap: .5rem 1.1rem; padding: .7rem 0; margin-top: .6rem; background: var(--ground);
          border-bottom: 1px solid var(--line); }
        .tools input[type="search"] { flex: 1 1 15rem; max-width: 30rem; min-width: 0; padding: .4rem .65rem;
          font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line);
          border-radius: 6px; }
        .tools label { display: inline-flex; align-items: center; gap: .4rem; white-space: nowrap; }
        .tools input[type="checkbox"] { margin: 0; width: 1rem; height: 1rem; accent-color: var(--focus); }
        .tools select { font: inherit; color: inherit; background: var(--raised); padding: .32rem .4rem;
          border: 1px solid var(--line); border-radius: 6px; }
        #count { color: var(--soft); margin-left: auto; white-space: nowrap; }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; list-style: none; padding: .6rem 0 .7rem;
          margin: 0; color: var(--soft); font-size: .82rem; }
        .legend li { display: flex; align-items: center; gap: .45rem; }

        #layout { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.25rem; align-items: start; }
        #layout.detailed { grid-template-columns: minmax(0, 1fr) minmax(300px, 410px); }
        .row { display: grid; align-items: center; gap: 0 1rem;
          grid-template-columns: minmax(15rem, 1.5fr) minmax(12rem, 1fr) 4.8rem 4.8rem minmax(12rem, 1fr); }
        #layout.detailed .row { grid-template-columns: minmax(11rem, 1fr) 9.5rem 4.8rem minmax(9rem, 1.1fr); }
        #layout.detailed .own { display: none; }
        .row > * { min-width: 0; }
        .head { color: var(--soft); font-size: .78rem; padding: 0 .75rem; border: 1px solid transparent; }
        .head > * { padding-bottom: .3rem; }
        .call { border: 1px solid transparent; border-top-color: var(--grid); content-visibility: auto;
          contain-intrinsic-size: auto 37px; }
        .call.open { border-color: var(--line); border-radius: 8px; background: var(--card);
          margin: .5rem 0; padding-bottom: .4rem; }
        .call .row { padding: 0 .75rem; cursor: pointer; min-height: 26px; }
        .call .row.top { min-height: 36px; }
        .call .row:hover { background: var(--hover); }
        .row[aria-selected="true"] { background: var(--hover); box-shadow: inset 3px 0 0 var(--focus); }
        .row:focus-visible { outline-offset: -2px; }
        .row.scale, .row.scale:hover { min-height: 22px; cursor: default; background: none; color: var(--soft);
          font-size: .78rem; }
        .name { display: flex; align-items: center; gap: .5rem; overflow: hidden; white-space: nowrap; }
        .name > .label, .result > .label { overflow: hidden; text-overflow: ellipsis; unicode-bidi: isolate; }
        /* A name goes on in another line before any of it is cut, and so does what an error says. */
        .name > .label, .failed > .result > .label { white-space: normal; overflow-wrap: anywhere; }
        .failed > .result { line-height: 1.3; padding: .2rem 0; }
        .top.failed > .result > .label { font-weight: 400; }
        .top .label { font-weight: 550; }
        .host, .dim { color: var(--soft); font-weight: 400; }
        .method { flex: none; font-weight: 650; min-width: 2.6rem; }
        .chevron { flex: none; width: 9px; height: 9px; border: solid var(--soft); border-width: 0 1.5px 1.5px 0;
          transform: rotate(-45deg) scale(.75); }
        .open .chevron { transform: rotate(45deg) scale(.75); }
        /* Less for what is deep, so that names in a long chain keep their room. */
        .indent { flex: none; width: calc(min(var(--depth) * 14px, 56px + var(--depth) * 6px) + 17px); }
        .result { display: flex; align-items: center; gap: .45rem; overflow: hidden; white-space: nowrap; }
        .time, .own { text-align: right; white-space: nowrap; }
        .own { color: var(--soft); }
        .moment { color: var(--moment); }
        .moment .result, .moment .time { color: var(--soft); }
        .note { padding: .3rem .75rem 0 calc(.75rem + 17px); color: var(--soft); font-size: .85rem; }

        .mark { flex: none; width: 1em; text-align: center; font-weight: 700; line-height: 1; }
        .completed .mark { color: var(--good); }
        .failed .mark, .refused .mark, .failed .result .label, .refused .result .label { color: var(--failed); }
        .cancelled .mark, .running .mark, .abandoned .mark { color: var(--soft); }

        .lane { position: relative; height: 100%; min-height: 26px; clip-path: inset(0 0 0 -6px); }
        .open .row:not(.top) .lane { background-image: repeating-linear-gradient(to right, var(--grid) 0 1px,
          transparent 1px var(--step)); }
        .tick { position: absolute; bottom: 0; white-space: nowrap; padding-left: 4px;
          border-left: 1px solid var(--line); line-height: 1.3; }
        .bar { position: absolute; top: 50%; transform: translateY(-50%); min-width: 2px; border-radius: 2px; }
        .swatch { position: relative; flex: none; width: 18px; height: 16px; }
        .swatch .bar { left: 0; width: 100%; }
        .bar.call-kind { height: 4px; background: var(--call); }
        .bar.interceptor { height: 9px; border-radius: 0; min-width: 3px; border: solid var(--interceptor);
          border-width: 0 1.5px; background: linear-gradient(var(--interceptor), var(--interceptor)) center / 100% 2px
          no-repeat; }
        .bar.attempt { height: 12px; border: 1.5px solid var(--attempt); border-radius: 4px; min-width: 5px; }
        .bar.transport { height: 12px; background: var(--transport); }
        .bar.sent { height: 4px; margin-top: 3px; background: var(--sent); min-width: 1px; }
        .bar.stage { height: 12px; border-left: 1.5px solid var(--ground); border-radius: 0; }
        .bar.name_lookup, .bar.connect, .bar.tls { background: var(--ground); opacity: .5; }
        .bar.wait { height: 12px; background: repeating-linear-gradient(-45deg, var(--wait) 0 2px,
          transparent 2px 5px) var(--ground); box-shadow: inset 0 0 0 1px var(--wait); }
        .bar.response_body { height: 10px; background: repeating-linear-gradient(to right, var(--body) 0 3px,
          transparent 3px 4px) var(--ground); }
        .bar.other { height: 10px; border: 1.5px dotted var(--soft); }
        .bar.delay { height: 0; border-top: 2px dotted var(--wait); border-radius: 0; }
        .bar.delay.part { height: 4px; border-width: 4px 0 0; border-top-color: var(--wait); }
        .bar.unfinished { border-right: 2px dashed var(--text); }
        .bar.point { width: 8px !important; height: 8px; min-width: 0; margin-left: -4px; border-radius: 0;
          background: var(--moment); transform: translateY(-50%) rotate(45deg); }
        .swatch .bar.point { left: 9px; }
        .end { position: absolute; top: 50%; transform: translateY(-50%); padding-left: 3px; font-weight: 700;
          font-size: .8rem; line-height: 1; color: var(--soft); }
        .end.failed { color: var(--failed); }
        .end.left { transform: translate(-100%, -50%); padding: 0 3px 0 0; }
        """#
}
