/** The styles that the record page adds to those of the documentation. The colours are the documentation's. */
export const RECORD_STYLE = `.record { max-width: var(--page-width); margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.record :is(p, details) { max-width: 46rem; }
.record h2 { margin: 2.5rem 0 0.5rem; }
.sports { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 1rem 0; padding: 0; list-style: none; }
.sports a {
  display: block; min-height: 2.75rem; padding: 0.55rem 0.9rem; text-decoration: none;
  border: 1px solid var(--rule-strong); border-radius: 8px; background: var(--raised);
}
.sports a:hover { border-color: var(--accent); }
.sports a[aria-current] { color: var(--on-accent); background: var(--accent); border-color: var(--accent); font-weight: 600; }
.even { stroke: var(--soft); stroke-dasharray: 4 4; }
.forecast { fill: var(--accent); }
.close { fill: var(--paper); stroke: var(--post); stroke-width: 2; }
.forecast-line { fill: none; stroke: var(--accent); stroke-width: 2; }
.close-line { fill: none; stroke: var(--post); stroke-width: 2; stroke-dasharray: 5 4; }
.series { white-space: nowrap; }
.key { width: 1.6em; height: 0.8em; vertical-align: baseline; }
.record td, .record thead th { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.record details { margin: 0.6rem 0; }
.record summary { padding: 0.5rem 0; }
`;
