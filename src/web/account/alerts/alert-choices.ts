import type { AlertFilter } from '../../../domain/alerts/alert-filter.ts';

/** What an alert can be about, as the page offers it: one choice is one filter. */
interface AlertChoice {
  readonly value: string;
  readonly label: string;
  readonly filter: AlertFilter;
}

export const ALERT_CHOICES: readonly AlertChoice[] = [
  { value: 'close', label: 'Close games near their end', filter: { types: ['score'], score: 'close_late' } },
  { value: 'final', label: 'Final scores', filter: { types: ['event_final'] } },
  { value: 'start', label: 'Starts of games', filter: { types: ['event_start'] } },
  { value: 'lead', label: 'Changes of the lead', filter: { types: ['score'], score: 'lead_change' } },
  { value: 'score', label: 'Every score', filter: { types: ['score'] } },
  { value: 'line', label: 'Lines that move by a point or more', filter: { types: ['line_move'], min_line_move: 1 } },
  {
    value: 'total',
    label: 'Totals that move by half a point or more',
    filter: { types: ['line_move'], markets: ['totals'], min_line_move: 0.5 },
  },
  {
    value: 'spread',
    label: 'Spreads that move by half a point or more',
    filter: { types: ['line_move'], markets: ['spreads'], min_line_move: 0.5 },
  },
  { value: 'steam', label: 'Steam: three books move together', filter: { types: ['steam'] } },
  { value: 'ev', label: 'Edges of 3% and more', filter: { types: ['ev'], min_ev_percent: 3 } },
  { value: 'arbitrage', label: 'Arbitrage', filter: { types: ['arbitrage'] } },
  { value: 'injury', label: 'Injuries (0.5 credits each)', filter: { types: ['injury'] } },
];
