/** `GET /live/events/{id}/intelligence?as_of=T`: of what the API answers on `/v1/events/{id}/intelligence`, what the page
 *  shows. From the event's start on it stands still. */
export interface EventIntelligence {
  readonly event_id: number;
  readonly as_of: string | null;
  readonly available: boolean;
  /** Names of the bookmakers, by their slugs. */
  readonly bookmakers: Readonly<Record<string, string>>;
  /** By role. A side that is open, or a pair, has no id. */
  readonly players: Readonly<Record<string, { readonly player_id: number | null; readonly team_id: number | null }>>;
  readonly rationale: readonly string[] | null;
  readonly bets: readonly EventBet[];
}

export interface EventBet {
  /** `ML_P1`, `SPREAD_AWAY`, `OVER`, ... */
  readonly bet_type: string;
  /** Of a bet on a side. */
  readonly player_role: string | null;
  /** The server's own forecast. */
  readonly probability: number | null;
  readonly interval: readonly number[] | null;
  /** The main line, signed for the bet's own side. */
  readonly market: { readonly price: number | null; readonly line: number | null };
  /** The forecast above what the price stands for, and how much that is; null until the record supports it. */
  readonly edge: number | null;
  readonly tier: string | null;
  /** The market without the bookmakers' margin, and whose prices it is from. */
  readonly fair: { readonly probability: number; readonly books: readonly string[] } | null;
  /** Null where no price is compared with what is fair. */
  readonly edges_by_book: Readonly<Record<string, number>> | null;
  readonly ev: { readonly book: string; readonly price: number; readonly ev_pct: number } | null;
  readonly narrative: string | null;
}

/** `GET /live/events/{id}/probabilities`: how likely home, or the first player, was to win, until the event's start. Of
 *  each at most 400 points, which are changes. */
export interface EventProbabilities {
  readonly event_id: number;
  /** `home` or `player_1`. */
  readonly outcome: string;
  /** Now, or the start where that is past. */
  readonly until: string;
  /** By the market without the bookmakers' margin. */
  readonly fair: readonly ProbabilityPoint[];
  /** By the server's own forecast. */
  readonly forecast: readonly ProbabilityPoint[];
}

export interface ProbabilityPoint {
  readonly at: string;
  readonly probability: number;
}
