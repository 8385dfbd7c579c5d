/** The style of the pages that the server draws: text, code, tables, and the documentation. */
export const BASE_STYLE = `html { font: 16px/1.55 var(--sans); }
body { overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
pre {
  margin: 0.75rem 0; padding: 0.8rem 1rem; overflow-x: auto; background: var(--sunken);
  border: 1px solid var(--rule); border-radius: 8px; line-height: 1.5; tab-size: 2;
}
pre code { font-size: 0.8125rem; }
.plain { max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.columns { width: 100%; max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 5rem; }
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
main { min-width: 0; width: 100%; max-width: 50rem; }
h1 { margin: 1.5rem 0 0.5rem; font-size: 2rem; line-height: 1.15; letter-spacing: -0.02em; }
h2 { margin: 3rem 0 0.75rem; font-size: 1.45rem; line-height: 1.2; letter-spacing: -0.015em; }
h3 { margin: 2rem 0 0.4rem; font-size: 1.125rem; line-height: 1.3; }
h4 { margin: 1.4rem 0 0.3rem; font-size: 0.9375rem; }
p { margin: 0.5rem 0; }
kbd { padding: 0 0.35em; border: 1px solid var(--rule-strong); border-radius: 4px; font: inherit; }
.lead { max-width: 52rem; font-size: 1.1rem; color: var(--soft); }
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
.pages { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 1rem 0; }
.pages a[aria-current] { font-weight: 600; }
.contents .pages { gap: 0.4rem 0.5rem; margin: 0 0 0.8rem; font-size: 0.875rem; }
.refusal, .notice { margin: 0.8rem 0; padding: 0.6rem 0.9rem; border-left: 4px solid var(--post); background: var(--sunken); }
.refusal { border-color: var(--delete); }
.flash { margin: 0.8rem 0; padding: 0.6rem 0.9rem; border-left: 4px solid var(--get); background: var(--sunken); }
.table { position: relative; overflow-x: auto; }
th, td { padding: 0.4rem 1rem 0.4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
thead th { border-top: 0; font-size: 0.8125rem; color: var(--soft); }
th[scope="row"] { font-weight: 400; white-space: nowrap; }
.copied { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 0.5rem; margin: 0.75rem 0; }
.copied pre { flex: 1 1 16rem; min-width: 0; margin: 0; }
.copied button {
  margin-top: 0.45rem; padding: 0.15rem 0.6rem; font: inherit; font-size: 0.8125rem;
  color: inherit; background: var(--raised); border: 1px solid var(--rule-strong); border-radius: 6px; cursor: pointer;
}
.copied button:hover { border-color: var(--accent); }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: 16.5rem minmax(0, 1fr); gap: 3rem; }
  .contents {
    position: sticky; top: 0; align-self: start; height: 100vh; padding: 1.4rem 0.5rem 2rem 0;
    overflow-y: auto; scrollbar-width: thin;
  }
  .contents summary { display: none; }
}
@media (max-width: 40rem) {
  .copied pre { flex-basis: 100%; }
  /* Whole sentences beside a long name fit, without a scroll to each line's end. */
  th[scope="row"]:has(code) { min-width: 8.5rem; white-space: normal; overflow-wrap: anywhere; }
  .operation { padding: 0.1rem 0.9rem 0.9rem; }
}
@media print {
  .contents, .copied button { display: none; }
}
`;
