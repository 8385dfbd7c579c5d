import { PLOT_STYLE } from '../../layout/plot-style.ts';

/** What usage and analytics have beyond the style of the other pages. */
export const USAGE_STYLE = `${PLOT_STYLE}.bar { fill: var(--accent); }
.bar.errors, .key .errors { fill: var(--delete); }
.key { width: 0.8em; height: 0.8em; }
`;
