import { FIELD_STYLE } from './field-style.ts';
import { PLOT_STYLE } from './plot-style.ts';
import { TOKENS } from './tokens.ts';

/** The style that every page has: tokens, fields, charts, header and footer. Sizes in pixels, since pages differ in their base size. */
export const SITE_STYLE = `${TOKENS}${FIELD_STYLE}${PLOT_STYLE}*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--paper); color: var(--ink); font-family: var(--sans); -webkit-text-size-adjust: 100%; overflow-y: scroll; scroll-padding-block: 12px; }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; }
body > * { flex: none; min-width: 0; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
/* The keyboard goes through the parts of a date, and the last of them would show nothing. */
[type="date"]:focus { outline: 2px solid var(--focus); outline-offset: 2px; }
main:focus, h1:focus { outline: none; }
.hidden-text {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip-link {
  position: absolute; top: 6px; left: 6px; z-index: 5; padding: 8px 14px; border-radius: 6px; font-size: 15px;
  background: var(--accent); color: var(--on-accent);
}
.skip-link:not(:focus) { clip-path: inset(50%); }
.site-header { border-bottom: 1px solid var(--rule); background: var(--raised); font-size: 15px; line-height: 20px; }
.site-header-inside {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; max-width: var(--page-width); min-height: 52px;
  margin: 0 auto; padding: 6px var(--gutter);
}
.site-header a { text-decoration: none; }
.wordmark {
  display: flex; align-items: center; gap: 9px; min-height: 34px; margin-right: 8px; font-size: 17px; font-weight: 680;
  letter-spacing: -0.01em; color: var(--ink);
}
.wordmark-ground { fill: var(--accent); }
.wordmark-line { fill: none; stroke: var(--on-accent); stroke-width: 3; stroke-linejoin: round; stroke-linecap: round; }
.site-navigation { display: flex; flex-wrap: wrap; gap: 0 2px; margin-right: auto; }
.site-navigation a, .account-menu nav a {
  display: block; padding: 7px 10px; border-radius: 6px; color: var(--ink); white-space: nowrap;
}
.site-navigation a:hover, .account-menu nav a:hover { background: var(--sunken); }
.site-navigation a[aria-current], .account-menu nav a[aria-current] {
  font-weight: 600; color: var(--accent); background: var(--accent-ground);
}
.page-tools { display: flex; align-items: center; gap: 4px; }
.tool {
  display: flex; align-items: center; justify-content: center; min-width: 36px; height: 34px; padding: 0 9px;
  border: 1px solid transparent; border-radius: 6px; background: none; color: var(--soft); font: inherit;
  font-size: 14px; text-decoration: none; white-space: pre; cursor: pointer;
}
.tool:hover { border-color: var(--rule-strong); color: var(--ink); }
.site-search { position: relative; }
.site-search input {
  width: 100%; height: 34px; padding: 0 10px; border: 1px solid var(--soft); border-radius: 6px; background: var(--paper);
  color: var(--ink); font: inherit; font-size: 14px; appearance: none;
}
.site-search input::placeholder { color: var(--soft); opacity: 1; }
.site-header .site-search { width: 190px; }
.search-link { display: none; }
.search-ring { fill: none; stroke: currentcolor; stroke-width: 1.5; stroke-linecap: round; }
.suggestions {
  position: absolute; top: calc(100% + 6px); right: 0; z-index: 4; width: max(100%, 320px); max-height: 70vh; margin: 0;
  padding: 6px; overflow-y: auto; list-style: none; background: var(--raised); border: 1px solid var(--rule-strong);
  border-radius: 10px; box-shadow: 0 8px 24px rgb(0 0 0 / 18%); font-size: 15px; line-height: 20px;
}
.suggestions li { padding: 7px 10px; border-radius: 6px; cursor: pointer; }
.suggestions li:hover, .suggestions [aria-selected="true"] { background: var(--accent-ground); }
.suggestion-about { display: block; font-size: 13px; color: var(--soft); }
.theme-ring { fill: none; stroke: currentcolor; stroke-width: 1.5; }
.theme-half { fill: currentcolor; }
.account { position: relative; display: flex; justify-content: flex-end; min-width: 82px; }
.account .tool { border-color: var(--rule-strong); color: var(--ink); }
.account-menu summary { list-style: none; }
.account-menu summary::-webkit-details-marker { display: none; }
.account-menu summary::after {
  content: ""; width: 6px; height: 6px; margin: -3px 1px 0 8px; border: solid currentcolor; border-width: 0 1.5px 1.5px 0;
  transform: rotate(45deg);
}
.account-menu nav {
  position: absolute; top: 40px; right: 0; z-index: 4; min-width: 180px; padding: 6px; background: var(--raised);
  border: 1px solid var(--rule-strong); border-radius: 10px; box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
}
.menu-button { display: none; }
@media (max-width: 1080px) {
  .site-header .site-search { display: none; }
  .search-link { display: flex; }
}
@media (max-width: 900px) {
  .wordmark { margin-right: 0; }
  [data-scripts] .wordmark-name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  [data-scripts] .menu-button { display: flex; margin-right: auto; border-color: var(--rule-strong); color: var(--ink); }
  .site-navigation { order: 1; flex: 1 0 100%; }
  [data-scripts] .menu-button[aria-expanded="false"] + .site-navigation { display: none; }
  [data-scripts] .site-navigation { flex-direction: column; padding-bottom: 4px; }
  :root:not([data-scripts]) .page-tools { margin-left: auto; }
}
@media (max-width: 480px) {
  .site-header-inside { column-gap: 4px; }
  .site-header .tool { min-width: 30px; padding: 0 7px; }
}
/* What scrolls sideways has a shadow at the edge beyond which there is more. The first two layers scroll with it, and hide the shadow at the ends. */
.tabs, .table, .scrolls {
  background:
    linear-gradient(to right, var(--paper) 40%, transparent) left / 36px 100% no-repeat local,
    linear-gradient(to left, var(--paper) 40%, transparent) right / 36px 100% no-repeat local,
    radial-gradient(farthest-side at 0 50%, var(--rule-strong), transparent) left / 14px 100% no-repeat scroll,
    radial-gradient(farthest-side at 100% 50%, var(--rule-strong), transparent) right / 14px 100% no-repeat scroll;
}
.simulated-banner {
  padding: 6px var(--gutter); background: var(--banner); color: var(--banner-ink); font-size: 13px; line-height: 18px;
  text-align: center;
}
.site-footer {
  display: flex; flex-wrap: wrap; gap: 4px 20px; width: 100%; max-width: var(--page-width); margin: auto auto 0;
  padding: 16px var(--gutter) 24px; font-size: 13px; line-height: 20px;
}
.site-footer a { color: var(--soft); }
@media print {
  .site-header, .site-footer { display: none; }
}
`;
