/** The styles that the grading page adds to those of the documentation. The colours are the documentation's. */
export const GRADING_STYLE = `.sheet { max-width: 46rem; margin: 0 auto; padding: 0 var(--gutter) 4rem; }
.sheet form { margin: 1rem 0 2rem; }
.sheet textarea { padding: 0.7rem 0.8rem; resize: vertical; font: inherit; }
.sheet button {
  min-height: 2.75rem; padding: 0.5rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
.sheet .copied { display: block; }
.sheet .copied button { display: block; min-height: 2.75rem; margin-top: 0.5rem; font-size: 1rem; }
.sheet h2 { margin: 1.5rem 0 0.75rem; }
.example { font-style: italic; }
.legs { margin: 0; padding: 0; list-style: none; }
.leg {
  margin: 0 0 0.8rem; padding: 0.7rem 1rem; background: var(--raised); border: 1px solid var(--rule);
  border-left: 5px solid var(--rule-strong); border-radius: 8px;
}
.leg.won { border-left-color: var(--get); }
.leg.lost { border-left-color: var(--delete); }
.leg.open { border-left-color: var(--post); }
.leg h3 { margin: 0; font-size: 1.0625rem; }
.leg p { margin: 0.25rem 0; }
.standing { display: inline-block; margin-right: 0.4em; }
.won .standing { color: var(--get); }
.lost .standing { color: var(--delete); }
.open .standing { color: var(--post); }
.bet { font-weight: 400; }
.number, .event { font-variant-numeric: tabular-nums; }
.candidates { margin: 0.2rem 0; padding-left: 1.2rem; }
.sharing a { overflow-wrap: anywhere; }
.rules { margin: 1.5rem 0; }
.rules summary { padding: 0.5rem 0; font-weight: 600; }
`;
