import type { WebhookEventType } from '../webhook-types.ts';

export const SCORE_MOMENTS = ['any', 'lead_change', 'period_end', 'final', 'close_late'] as const;
export type ScoreMoment = (typeof SCORE_MOMENTS)[number];

/** The severities of injuries, the least first. */
export const SEVERITIES = ['info', 'material', 'critical'] as const;

/** What expected values are computed with: the fair price, or its blend with the server's own forecast. */
export const EV_JUDGES = ['fair', 'blend'] as const;

/** The changes that a subscription lets pass: those that every given member lets pass. An absent member lets all pass. */
export interface AlertFilter {
  readonly types?: readonly WebhookEventType[] | undefined;
  readonly sports?: readonly string[] | undefined;
  readonly leagues?: readonly string[] | undefined;
  readonly event_ids?: readonly number[] | undefined;
  readonly team_ids?: readonly number[] | undefined;
  readonly player_ids?: readonly number[] | undefined;
  /** The books that messages may name, in the place of the account’s list; one of them `all`: every book. */
  readonly books?: readonly string[] | undefined;
  /** Holds back prices of other bookmakers, and no other type. */
  readonly bookmakers?: readonly string[] | undefined;
  /** Keys: `h2h`, `spreads`, `totals`, `h2h_3_way`. */
  readonly markets?: readonly string[] | undefined;
  /** Points. */
  readonly min_line_move?: number | undefined;
  /** Implied probability, in points of a per cent. */
  readonly min_price_move?: number | undefined;
  readonly min_ev_percent?: number | undefined;
  /** What expected values are computed with; absent: `fair`. */
  readonly by?: (typeof EV_JUDGES)[number] | undefined;
  readonly min_severity?: (typeof SEVERITIES)[number] | undefined;
  /** Only in the last so many minutes before the start. */
  readonly before_start_minutes?: number | undefined;
  readonly score?: ScoreMoment | undefined;
}
