import { TAB_STYLE } from '../layout/tab-style.ts';

/** The styles that the browser application adds to those of the documentation. The colours are the documentation's. */
export const ACCOUNT_STYLE = `${TAB_STYLE}.site { max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.site h2 { margin: 2rem 0 0.6rem; font-size: 1.25rem; }
.site h3 { margin: 1.2rem 0 0.4rem; }
fieldset { margin: 0 0 1rem; padding: 0.6rem 0.9rem 0.9rem; border: 1px solid var(--rule-strong); border-radius: 8px; }
legend { padding: 0 0.3rem; font-weight: 600; }
.site button, .button {
  display: inline-block; min-height: 2.75rem; padding: 0.5rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer;
  text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
.site button.quiet, .button.quiet { color: var(--accent); background: var(--raised); }
.site button.danger { color: var(--delete); background: var(--raised); border-color: var(--delete); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.6rem 0.8rem; align-items: center; }
.buttons .inline { margin: 0; }
.site .inline { display: inline-block; margin: 0 0.5rem 0.5rem 0; }
.site td .inline { margin: 0; }
.site form:not(.inline) + form { margin-top: 1.5rem; }
.site summary { padding: 0.3rem 0; cursor: pointer; }
.site td button { min-height: 2.2rem; padding: 0.2rem 0.8rem; }
.site button[disabled] { opacity: 0.6; cursor: default; }
.flash.error { border-color: var(--delete); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)); gap: 1rem; margin: 1rem 0; }
/* The figures of a row stand on one line, whatever their headings take. */
.cards.figures .card { display: grid; grid-row: span 3; grid-template-rows: subgrid; row-gap: 0; align-content: start; }
.cards.figures { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); }
@media (min-width: 40rem) and (max-width: 68rem) { .cards.figures:has(> :nth-child(6):last-child) { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
.card { padding: 0.8rem 1.1rem 1rem; background: var(--raised); border: 1px solid var(--rule); border-radius: 10px; }
.card h2, .card h3 { margin: 0.2rem 0 0.4rem; font-size: 1.0625rem; }
.stat { margin: 0.2rem 0; font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; }
.badge { display: inline-block; padding: 0.05rem 0.5rem; font-size: 0.8125rem; font-weight: 600; border: 1px solid var(--rule-strong); border-radius: 999px; }
.badge.good { color: var(--get); border-color: var(--get); }
.badge.bad { color: var(--delete); border-color: var(--delete); }
.badge.warn { color: var(--post); border-color: var(--post); }
.badge.open { color: var(--soft); font-weight: 400; border-style: dashed; }
.stat.bad { color: var(--delete); }
.empty { color: var(--soft); }
.meters { display: grid; gap: 0.7rem; margin: 0.6rem 0; padding: 0; list-style: none; }
.meters li { display: grid; grid-template-columns: minmax(10rem, 20rem) minmax(6rem, 18rem) 1fr; gap: 0.2rem 1.2rem; align-items: center; }
.meters meter { width: 100%; height: 0.8rem; }
.meters meter::-webkit-meter-bar { height: 0.8rem; background: var(--sunken); border: 1px solid var(--rule-strong); border-radius: 999px; }
.meters meter::-webkit-meter-optimum-value { background: var(--accent); }
.meters meter::-webkit-meter-suboptimum-value { background: var(--post); }
.meters meter::-moz-meter-bar { background: var(--accent); }
:is(.secret, .wrapped) pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.answer pre { max-height: 32rem; overflow: auto; }
.filters { margin: 0.6rem 0 1rem; }
.field-grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr)); gap: 0 1rem; }
.field-grid:not(.terms) .field:first-child { grid-column: span 2; }
.field-grid.inputs { grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); max-width: 70rem; }
.field-grid.inputs .field:first-child { grid-column: auto; }
.field-grid.terms { max-width: 36rem; }
/* Two parts of a page beside each other, where there is room. */
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 3rem; }
.options { columns: 13rem; column-gap: 1.6rem; }
.options > .check { break-inside: avoid; }
.site .table { margin: 0.6rem 0; }
.site td, .site th { white-space: nowrap; }
.site td.wide, .site th.wide { white-space: normal; overflow-wrap: anywhere; min-width: 14rem; }
.site td.number, .site th.number { text-align: right; font-variant-numeric: tabular-nums; }
.rows { margin: 0.6rem 0; padding: 0; list-style: none; border-top: 1px solid var(--rule-strong); }
.rows > li {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: 0.4rem 1.5rem;
  padding: 0.8rem 0; border-bottom: 1px solid var(--rule);
}
.rows > li > div { min-width: 0; overflow-wrap: anywhere; }
.rows > li:target { background: var(--sunken); }
.rows p, .rows ul { margin: 0.25rem 0; }
.rows ul { padding-left: 1.1rem; }
.rows .field { margin-bottom: 0.7rem; }
.rows code { white-space: normal; }
.facts { font-variant-numeric: tabular-nums; }
.site dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1.2rem; margin: 0.6rem 0; }
.site dt { color: var(--soft); }
.site dd { margin: 0; overflow-wrap: anywhere; }
.steps { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin: 0.2rem 0 1.4rem; padding: 0; list-style: none; counter-reset: step; }
.steps li { display: flex; gap: 0.5rem; align-items: center; min-height: 2rem; color: var(--soft); counter-increment: step; }
.steps li::before {
  content: counter(step); display: grid; place-items: center; width: 1.6rem; height: 1.6rem; font-size: 0.8125rem; font-weight: 600;
  border: 1px solid var(--rule-strong); border-radius: 999px;
}
.steps .done::before { content: "\\2713"; color: var(--accent); border-color: var(--accent); }
.steps [aria-current] { color: var(--ink); font-weight: 600; }
.steps [aria-current]::before { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.leagues { columns: 17rem; column-gap: 1.6rem; }
.leagues > div { break-inside: avoid; padding-bottom: 0.4rem; }
.leagues .group { margin: 0.4rem 0 0; font-weight: 600; }
.site td.load { min-width: 8rem; white-space: normal; }
.site dd p { margin: 0 0 0.3rem; }
@supports selector(:has(*)) {
  form:has([name="format"] [value="email"]:checked) .for-address,
  form:has([name="kind"]):not(:has([name="kind"][value="real"]:checked)) .for-real,
  form:has([name="where"]):not(:has([name="where"][value="folder"]:checked)) .for-folder,
  form:has([name="where"]):not(:has([name="where"][value="s3"]:checked)) .for-bucket,
  form:has([name="mail"]):not(:has([name="mail"][value="smtp"]:checked)) .for-smtp { display: none; }
}
.step-buttons { display: flex; flex-wrap: wrap; gap: 0.6rem 1.4rem; align-items: center; margin: 1.6rem 0 0; }
@media (max-width: 40rem) {
  .field-grid { grid-template-columns: 1fr 1fr; }
  .field-grid.inputs, .field-grid.terms { grid-template-columns: minmax(0, 1fr); }
  .site th.wide { min-width: 10.5rem; }
  .site td, .site th { padding-right: 0.7rem; }
  .site dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .site dd { margin-bottom: 0.5rem; }
  .meters li { grid-template-columns: minmax(0, 1fr); }
}
`;

/** The styles that the usage and analytics pages add. */
export const USAGE_STYLE = `.bar { fill: var(--accent); }
.bar.errors, .key .errors { fill: var(--delete); }
.bar.half, .key .half { fill: var(--second); }
.key { width: 0.8em; height: 0.8em; }
`;
