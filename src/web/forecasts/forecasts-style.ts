import { RECORD_STYLE } from '../record/record-style.ts';

/** The styles of the page of forecasts beside those of all pages. */
export const FORECASTS_STYLE = `${RECORD_STYLE}.day-links { display: flex; flex-wrap: wrap; align-items: end; gap: 0.4rem 1.2rem; margin: 0.6rem 0 0.2rem; }
.day-links > a { padding: 0.45rem 0; }
.day-links a[aria-current] { font-weight: 600; }
.day-links form { margin-left: auto; }
.day-links form:only-child { margin-left: 0; }
.day-links button {
  min-height: 2.75rem; padding: 0.3rem 0.7rem; font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--rule-strong); border-radius: 8px; cursor: pointer;
}
.forecasts h3 { margin: 1.6rem 0 0.3rem; }
.forecasts .table table { width: 100%; }
.forecasts th[scope="row"] { white-space: nowrap; }
.forecasts td.line { padding-left: 1.5rem; color: var(--soft); }
.forecast-cell { font-weight: 600; }
.market-cell { color: var(--soft); }
.apart { font-size: 0.75em; font-weight: 400; color: var(--accent); }
.state { font-size: 0.8125rem; color: var(--soft); }
.state.inprogress { color: var(--live); font-weight: 600; }
.empty { color: var(--soft); }
@media (min-width: 60rem) {
  .forecasts thead th { width: 5.4rem; }
  .forecasts thead th:first-child { width: 8rem; }
  .forecasts thead th:nth-child(2) { width: auto; }
}
@media (max-width: 60rem) {
  .forecasts th[scope="row"] { min-width: 10.5rem; white-space: normal; }
  .forecasts thead th { white-space: normal; vertical-align: bottom; }
  .forecasts :is(td, th) { padding-right: 0.45rem; }
  .forecasts td.line { padding-left: 0.45rem; }
}
@media (max-width: 40rem) {
  .day-links form { margin-left: 0; }
}
`;
