/** The style of all plots: grid lines, tick labels, and plots side by side if there is room. */
export const PLOT_STYLE = `.plots { display: flex; flex-wrap: wrap; gap: 1rem 2rem; margin: 0.75rem 0; }
.plots figure { flex: 1 1 16rem; max-width: 28rem; margin: 0; }
.plots figcaption { font-size: 0.875rem; color: var(--soft); }
.plot { display: block; }
.plot:where(:not([width])) { width: 100%; height: auto; }
.grid { stroke: var(--rule); }
.zero { stroke: var(--rule-strong); }
.tick { font-size: 12px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
`;
