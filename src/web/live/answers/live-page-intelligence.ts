/**
 * `GET /live/events/{id}/intelligence?as_of=T`: the part of the API's answer to `/v1/events/{id}/intelligence` that the
 * page shows. It does not change after the event's start.
 */
export interface EventIntelligence {
  readonly event_id: number;
  readonly as_of: string | null;
  readonly available: boolean;
  /** Present while the server learns the results of the league: until then there is no forecast. */
  readonly learning?: true | undefined;
  /** Names of the bookmakers by slug. */
  readonly bookmakers: Readonly<Record<string, string>>;
  /** By role. An undecided side, or a pair, has no id. */
  readonly players: Readonly<Record<string, { readonly player_id: number | null; readonly team_id: number | null }>>;
  readonly rationale: readonly string[] | null;
  readonly bets: readonly EventBet[];
}

export interface EventBet {
  /** `ML_P1`, `SPREAD_AWAY`, `OVER`, ... */
  readonly bet_type: string;
  /** The side, for a bet on a side. */
  readonly player_role: string | null;
  /** The server's own forecast. */
  readonly probability: number | null;
  readonly interval: readonly number[] | null;
  /** The main line, with the sign of the bet's own side. */
  readonly market: { readonly price: number | null; readonly line: number | null };
  /** The forecast minus the implied probability of the price, and its tier; null until the record supports it. */
  readonly edge: number | null;
  readonly tier: string | null;
  /** The market probability without the bookmakers' margin, and the bookmakers that it comes from. */
  readonly fair: { readonly probability: number; readonly books: readonly string[] } | null;
  /** Null if no price is compared with the fair one. */
  readonly edges_by_book: Readonly<Record<string, number>> | null;
  readonly ev: { readonly book: string; readonly price: number; readonly ev_pct: number } | null;
  readonly narrative: string | null;
}

/**
 * `GET /live/events/{id}/probabilities`: the win probability of home, or of the first player, until the event's start.
 * Each series has at most 400 points, which are changes.
 */
export interface EventProbabilities {
  readonly event_id: number;
  /** `home` or `player_1`. */
  readonly outcome: string;
  /** Now, or the start if it has passed. */
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
