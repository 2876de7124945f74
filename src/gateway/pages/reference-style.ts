/** The style of the pages of the reference that have no script. */
export const REFERENCE_STYLE = `
:root{color-scheme:light dark;--page:#fff;--text:#111827;--small:#4b5563;--line:#d1d5db;--code:#f3f4f6;--link:#1d4ed8}
@media(prefers-color-scheme:dark){:root{--page:#111827;--text:#f9fafb;--small:#d1d5db;--line:#4b5563;--code:#1f2937;--link:#93c5fd}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{font:16px/1.6 system-ui,sans-serif;margin:0;background:var(--page);color:var(--text);display:grid;grid-template-columns:17rem minmax(0,1fr)}
a{color:var(--link)}a:focus-visible,pre:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--page);padding:.5rem}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);font-size:.9rem}
nav h2{font-size:.9rem;margin:1.25rem 0 .25rem}nav ul{list-style:none;margin:0;padding:0}nav li{overflow-wrap:anywhere}
main{max-width:54rem;padding:2rem;overflow-wrap:anywhere}
h1{line-height:1.2}h2{margin-top:3rem;border-bottom:1px solid var(--line)}h3{margin:2.5rem 0 .25rem;font-size:1.15rem}
code,pre{font:.875rem/1.5 ui-monospace,monospace;background:var(--code);border-radius:.25rem}
code{padding:.1rem .3rem}h3 code{background:none;padding:0;font-size:1.15rem}
pre{padding:.75rem 1rem;overflow:auto}pre code{padding:0;background:none}
table{border-collapse:collapse;width:100%;font-size:.9rem;margin:.75rem 0}
caption{text-align:left;color:var(--small);padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
td:first-child,th:first-child{white-space:nowrap}small{font-weight:400}.note{color:var(--small);margin:.25rem 0}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`;
