import { styleAsset } from '../layout/page-assets.ts';
import { TAB_STYLE } from '../layout/tab-style.ts';

/** The style of the pages of events, teams, players, leagues and the search. */
const BROWSE_STYLE = `${TAB_STYLE}.browse { max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.browse > .site-search { max-width: 40rem; margin: 1rem 0; }
.browse > .site-search input { height: 46px; padding: 0 14px; font-size: 17px; }
.browse > .site-search .suggestions { right: auto; left: 0; }
.browse > section > h2 { margin: 2rem 0 0.5rem; font-size: 1.2rem; }
.matches { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--rule); }
.matches li { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; padding: 0.55rem 0; border-bottom: 1px solid var(--rule); }
@media (min-width: 60rem) { .matches:not(.timed) li { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } }
.matches a { font-weight: 600; text-decoration: none; }
.matches a:hover { text-decoration: underline; }
/* When, who, and how it stands, each in a column of its own. */
.timed li { display: grid; grid-template-columns: 8rem minmax(0, 1fr) auto; column-gap: 1rem; }
.timed .about, .timed b { font-variant-numeric: tabular-nums; }
.about { color: var(--soft); font-size: 0.9375rem; }
.browse :is(p, .part > ul:not(.matches)) { max-width: 46rem; }
.empty { color: var(--soft); }
.acts { display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0.6rem 0; font-size: 0.9375rem; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 0.9rem; margin: 1.1rem 0 0.3rem; font-size: 0.9375rem; }
.browse .crumbs + h1 { margin-top: 0.3rem; }
.browse > .notice { margin: 0 0 1rem; }
.part { margin: 0 0 2rem; }
.browse .part > h2 { margin: 0 0 0.5rem; font-size: 1.2rem; }
@media (min-width: 40rem) { .offered table { table-layout: fixed; } }
.offered + .offered { margin-top: 1.25rem; }
.browse .table table { width: 100%; }
/* High enough for a table of 32 teams. */
.browse .table { position: relative; max-height: 82rem; overflow: auto; }
.browse .table td, .browse .table th { white-space: nowrap; }
.browse .table thead th { white-space: normal; vertical-align: bottom; }
.browse .table td.wide { min-width: 14rem; white-space: normal; }
.browse .table .number { padding-left: 0.75rem; text-align: right; font-variant-numeric: tabular-nums; }
.browse .table .rank { width: 1%; padding-left: 0; color: var(--soft); }
.browse .table th.number:first-child { padding-left: 0; }
.best { margin-right: -0.3rem; padding: 0.1rem 0.3rem; border-radius: 4px; color: var(--accent); background: var(--accent-ground); font-weight: 650; }
.facts-list { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1.2rem; margin: 1rem 0 2rem; }
.facts-list dt { color: var(--soft); }
.facts-list dd { margin: 0; }
.days { display: flex; gap: 1rem; margin: 1rem 0 1.5rem; }
.live { color: var(--live); }
.browse h1 + .about { margin: 0 0 1.5rem; }
.good { color: var(--up); font-weight: 600; }
.bad { color: var(--down); }
/* Who or what a row is of stays in sight, where a table is wider than its page. */
@media (min-width: 40rem) { .browse .table tbody th[scope="row"] { position: sticky; left: 0; background: var(--paper); } }
@media (max-width: 60rem) {
  .browse .table { font-size: 0.9rem; }
  .browse .table table { font-size: inherit; }
  .browse .table td, .browse .table th { padding-right: 0.5rem; }
  .browse .table .number { padding-left: 0.3rem; }
}
@media (max-width: 40rem) {
  .browse .table { max-height: 125rem; }
  /* Long names and times take two lines, so that what came out stands beside them without scrolling. */
  .browse .table tbody th[scope="row"], .browse .table tbody th:has(time) + td:not(.number) { min-width: 6.8rem; white-space: normal; }
  .browse .offered td .about { display: block; font-size: 0.8125rem; }
  .timed li { grid-template-columns: minmax(0, 1fr) auto; }
  .timed a { grid-row: 1; grid-column: 1 / 3; }
}
`;

export const BROWSE_STYLE_ASSET = styleAsset('/site/assets/browse', BROWSE_STYLE);
