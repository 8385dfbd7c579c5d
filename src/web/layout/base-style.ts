/** The style of the documentation, light and dark. Text has a contrast of at least 4.5 to its background. */
export const BASE_STYLE = `:root {
  color-scheme: light;
  --paper: #faf8f3; --raised: #fffefb; --sunken: #f2eee4; --ink: #1e1c17; --soft: #5d584c;
  --rule: #e3ddcf; --rule-strong: #c9c1ae; --accent: #1b5a47; --on-accent: #fff;
  --get: #14633d; --post: #8a4b08; --delete: #a3281b; --focus: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #111417; --raised: #171b1f; --sunken: #1d2227; --ink: #eceae4; --soft: #a7a399;
    --rule: #262c32; --rule-strong: #434b53; --accent: #86d0b1; --on-accent: #0d1512;
    --get: #7fd6a4; --post: #f2b877; --delete: #ff8d7c; --focus: #8ab4ff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html {
  background: var(--paper); color: var(--ink); scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
}
body { margin: 0; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
code, pre { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.875em; }
pre {
  margin: 0.75rem 0; padding: 0.8rem 1rem; overflow-x: auto; background: var(--sunken);
  border: 1px solid var(--rule); border-radius: 8px; line-height: 1.5; tab-size: 2;
}
pre code { font-size: 0.8125rem; }
.skip-link {
  position: absolute; top: 6px; left: 6px; z-index: 3; padding: 8px 14px; border-radius: 6px;
  background: var(--accent); color: var(--on-accent);
}
.skip-link:not(:focus) { clip-path: inset(50%); }
.top {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.5rem;
  padding: 0.7rem max(1.25rem, (100% - 73.5rem) / 2); background: var(--paper); border-bottom: 1px solid var(--rule);
}
.top nav { display: flex; flex-wrap: wrap; gap: 0 1.1rem; }
.top a { text-decoration: none; }
.top a:hover { text-decoration: underline; }
.home { color: var(--ink); font-weight: 680; letter-spacing: -0.01em; }
.columns { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 5rem; }
.contents { padding: 1rem 0; font-size: 0.9375rem; }
.contents summary { cursor: pointer; font-weight: 600; }
.contents ul { margin: 0.2rem 0 0.9rem; padding: 0; list-style: none; }
.contents li a { display: block; padding: 0.22rem 0; text-decoration: none; color: var(--ink); }
.contents li a:hover { text-decoration: underline; }
.contents li a[aria-current] { font-weight: 600; color: var(--accent); }
.contents h2 { margin: 0.9rem 0 0; font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
.search { margin: 0.4rem 0; }
.search label { display: block; font-size: 0.8125rem; color: var(--soft); }
.search input {
  width: 100%; padding: 0.4rem 0.6rem; font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--rule-strong); border-radius: 6px;
}
.search output { font-size: 0.8125rem; color: var(--soft); }
main { min-width: 0; max-width: 50rem; }
h1 { margin: 1.5rem 0 0.5rem; font-size: 2rem; line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 3rem 0 0.75rem; font-size: 1.45rem; line-height: 1.2; letter-spacing: -0.015em; }
h3 { margin: 2rem 0 0.4rem; font-size: 1.125rem; line-height: 1.3; }
h4 { margin: 1.4rem 0 0.3rem; font-size: 0.9375rem; }
p { margin: 0.5rem 0; }
kbd { padding: 0 0.35em; border: 1px solid var(--rule-strong); border-radius: 4px; font: inherit; }
.lead { font-size: 1.1rem; color: var(--soft); }
.operation { margin: 1.5rem 0 0; padding: 0.25rem 1.25rem 1.25rem; background: var(--raised); border: 1px solid var(--rule); border-radius: 12px; }
.operation h3 { margin-top: 1.1rem; }
.operation h3 a { color: inherit; text-decoration: none; }
.operation h3 a:hover { text-decoration: underline; }
.where { margin: 0.35rem 0; font-size: 0.9375rem; }
.method { margin-right: 0.4em; font-size: 0.8125rem; font-weight: 700; letter-spacing: 0.03em; }
.GET { color: var(--get); } .POST { color: var(--post); } .DELETE { color: var(--delete); }
.price { color: var(--soft); font-size: 0.9375rem; }
.tree, .parameters, .failures { margin: 0.4rem 0; padding: 0; list-style: none; }
.parameters > li, .failures > li { padding: 0.5rem 0; border-top: 1px solid var(--rule); }
.tree .tree { margin: 0.15rem 0 0.3rem 0.3rem; padding-left: 0.9rem; border-left: 1px solid var(--rule-strong); }
.tree li { padding: 0.12rem 0; }
.name { font-weight: 600; }
.type, .note { font-size: 0.875rem; color: var(--soft); }
.note { font-style: italic; }
.text { display: block; font-size: 0.9375rem; }
.facts { display: block; font-size: 0.875rem; color: var(--soft); }
.status { display: inline-block; min-width: 2.6rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.failures ul { margin: 0; padding: 0; list-style: none; }
.failures > li { display: flex; gap: 0.6rem; }
details > summary { cursor: pointer; }
.operation details { margin-top: 0.8rem; }
.operation summary { font-size: 0.9375rem; font-weight: 600; }
table { border-collapse: collapse; font-size: 0.9375rem; }
.flash { margin: 0.8rem 0; padding: 0.6rem 0.9rem; border-left: 4px solid var(--get); background: var(--sunken); }
.table { overflow-x: auto; }
th, td { padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
thead th { border-top: 0; font-size: 0.8125rem; color: var(--soft); }
th[scope="row"] { font-weight: 400; white-space: nowrap; }
.copied { position: relative; }
.copied button {
  position: absolute; top: 0.45rem; right: 0.45rem; padding: 0.15rem 0.6rem; font: inherit; font-size: 0.8125rem;
  color: inherit; background: var(--raised); border: 1px solid var(--rule-strong); border-radius: 6px; cursor: pointer;
}
.copied button:hover { border-color: var(--accent); }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); gap: 3rem; }
  .contents {
    position: sticky; top: 3.2rem; align-self: start; height: calc(100vh - 3.2rem); padding: 1.4rem 0.5rem 2rem 0;
    overflow-y: auto; scrollbar-width: thin;
  }
  .contents summary { display: none; }
}
@media (max-width: 40rem) {
  /* It takes several lines, and would hide what the keyboard or a link is at. */
  .top { position: static; }
  .copied pre { margin-bottom: 0.4rem; }
  .copied button { position: static; }
  .operation { padding: 0.1rem 0.9rem 0.9rem; }
}
@media print {
  .top, .contents, .copied button { display: none; }
}
`;
