import type { EventStatus } from '../../../domain/catalogue/catalogue.ts';

/**
 * What the routes under `/live/` answer, for the page at `/`: keyless, read-only, unmetered, and no part of the API's
 * contract. Times are ISO 8601 with Z; the page draws what stands here and decides nothing about sport.
 */

/** `GET /live/board?date=YYYY-MM-DD`: a day's events. Without a date, or on a day without events, the nearest day that
 *  has some (`date` tells which). */
export interface Board {
  readonly date: string;
  /** The nearest days before and after it that have events; null where there are none. */
  readonly previous_date: string | null;
  readonly next_date: string | null;
  readonly generated_at: string;
  /** Some of what is shown is simulated. */
  readonly simulated: boolean;
  /** Sports with events on that day, in the order of the catalogue. */
  readonly sports: readonly BoardSport[];
  /** Live ones first (inprogress, suspended), then those to come (scheduled, delayed), then those that are over (final,
   *  walkover; last cancelled and postponed); within these by start, then by id. */
  readonly events: readonly BoardEvent[];
}

export interface BoardSport {
  readonly slug: string;
  readonly name: string;
  readonly leagues: readonly { readonly slug: string; readonly name: string }[];
}

/** One event as the board shows it. `event: board` of the stream carries one, whole, whenever it has changed. */
export interface BoardEvent {
  readonly id: number;
  readonly name: string;
  readonly sport: string;
  readonly league: string;
  readonly starts_at: string;
  readonly status: EventStatus;
  readonly period_label: string | null;
  readonly clock: string | null;
  /** Two, in the order in which they are shown: that of the name, so that guests come first in the American sports. */
  readonly sides: readonly BoardSide[];
  /** Up to three markets of one bookmaker: the first of the specification's order that has prices. */
  readonly lines: readonly BoardLine[];
  /** How many bookmakers have prices. */
  readonly bookmakers: number;
  readonly simulated: boolean;
  /** The log position that this reflects; of two, the greater is the newer, and of equal ones the one that came later.
   *  `0` in an answer as of a moment. */
  readonly position: string;
}

export interface BoardSide {
  readonly role: string;
  readonly name: string;
  readonly abbreviation: string | null;
  readonly score: string | null;
  readonly game_score: string | null;
  readonly is_winner: boolean | null;
}

export interface BoardLine {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly market: 'h2h' | 'spreads' | 'totals';
  /** `moneyline`, `spread`, `totals`. */
  readonly label: string;
  readonly outcomes: readonly LineOutcome[];
  /** The movement of the first outcome, oldest first, at most 60 points: its price, and its point where it has one. It
   *  begins with what it moved from, at the time of that first movement; empty where it never moved. */
  readonly series: readonly LinePoint[];
}

export interface LineOutcome {
  /** `home`, `over`, ...; `name` is what the API shows. */
  readonly outcome: string;
  readonly name: string;
  readonly price: number;
  readonly point: number | null;
  /** The last movement of this outcome; null where it never moved. */
  readonly moved: { readonly at: string; readonly price_from: number; readonly point_from: number | null } | null;
}

export interface LinePoint {
  readonly at: string;
  readonly price: number;
  readonly point: number | null;
}

/**
 * `GET /live/events/{id}/story`: everything that happened, on one time axis. Points are changes: of the status, the
 * period or a score (the clock is the one of that moment), of a price or its point. A line has at most 400 points,
 * injuries are changes of a player's status from the first moment on to the event's end.
 */
export interface Story {
  readonly event_id: number;
  readonly simulated: boolean;
  /** The first and last moment of what follows. */
  readonly from: string;
  readonly to: string;
  readonly scores: readonly ScorePoint[];
  /** The main lines of every bookmaker that has prices. */
  readonly lines: readonly StoryLine[];
  readonly injuries: readonly {
    readonly at: string;
    readonly player: string;
    readonly team: string;
    readonly status: string;
  }[];
  readonly generated_at: string;
}

export interface ScorePoint {
  readonly at: string;
  readonly status: EventStatus;
  readonly period_label: string | null;
  readonly clock: string | null;
  /** In the order of the board's `sides`; null where there is no score. */
  readonly scores: readonly [string | null, string | null];
}

export interface StoryLine {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly market: 'h2h' | 'spreads' | 'totals';
  readonly outcome: string;
  readonly name: string;
  readonly points: readonly LinePoint[];
}

/**
 * `GET /live/events/{id}?as_of=T`: the event as it stands, or as it stood when what had been observed until T was known
 * (the API's `as_of` with `as_of_basis=observed`). 404 with the API's error envelope where there was none yet.
 */
export interface EventSnapshot {
  readonly event: BoardEvent;
  readonly as_of: string | null;
  /** Venue, round, competition, broadcast, as the API's event detail has them; for whatever the page wants to tell. */
  readonly detail: {
    readonly venue: string | null;
    readonly round: string | null;
    readonly competition: string | null;
    readonly broadcast: string | null;
    readonly scheduled_start_at: string | null;
  };
  /** Each side's scores by period, in the order of `event.sides`. */
  readonly periods: readonly { readonly period: string; readonly scores: readonly [number | null, number | null] }[];
  /** Main lines of every bookmaker. */
  readonly odds: readonly {
    readonly bookmaker: { readonly slug: string; readonly name: string };
    readonly captured_at: string;
    readonly markets: readonly {
      readonly market: 'h2h' | 'spreads' | 'totals';
      readonly label: string;
      readonly outcomes: readonly Pick<LineOutcome, 'outcome' | 'name' | 'price' | 'point'>[];
    }[];
  }[];
  /** Consensus; null when there is none. */
  readonly splits: {
    readonly captured_at: string;
    readonly markets: readonly {
      readonly market: string;
      readonly sides: readonly { readonly side: string; readonly bets_pct: number; readonly handle_pct: number }[];
    }[];
  } | null;
}

/** What bookmakers offer at one line, and where it stands. `books` holds American odds by bookmaker and outcome. */
interface OfferedLine {
  readonly line: number;
  readonly current: number | null;
  readonly result: string | null;
  readonly books: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
}

/** Lines of the first half, the first five innings or the first set: `first_half_spreads`, `first_half_totals`. */
export interface PeriodLine extends OfferedLine {
  readonly scope: string;
  readonly market: string;
  readonly scope_complete: boolean;
  readonly home_result: string | null;
  readonly away_result: string | null;
}

interface TeamTotal extends OfferedLine {
  readonly team: string;
  readonly side: 'home' | 'away';
}

interface PlayerProp extends OfferedLine {
  readonly player: string;
  readonly player_id: number | null;
  readonly team_id: number | null;
  /** The name of a statistic. */
  readonly market: string;
}

/** `GET /live/events/{id}/lines?as_of=T`: period lines, team totals and player props, as the API answers them; each list is
 *  empty where there are none. */
export interface EventLines {
  readonly event_id: number;
  readonly as_of: string | null;
  /** Names of the bookmakers, by their slugs. */
  readonly bookmakers: Readonly<Record<string, string>>;
  readonly period_odds: readonly PeriodLine[];
  readonly team_props: readonly TeamTotal[];
  readonly player_props: readonly PlayerProp[];
}

/** `GET /live/events/{id}/stats`: what the API answers on `/v1/events/{id}/stats`; members that a sport lacks are absent. */
export interface EventStatistics {
  readonly event_id: number;
  readonly available: boolean;
  readonly teams?: { readonly home?: SideStatistics; readonly away?: SideStatistics } | undefined;
  readonly players?: { readonly player_1?: SideStatistics; readonly player_2?: SideStatistics } | undefined;
}

export interface SideStatistics {
  readonly name: string;
  readonly abbreviation?: string | null | undefined;
  readonly rest_days: number | null;
  /** `results` are W, D, L and T, newest first. */
  readonly recent_form: { readonly results: readonly string[] };
  readonly team_strength: Readonly<Record<string, number | string | null | undefined>>;
  readonly rates_l5: StatisticsRates;
  readonly rates_season: StatisticsRates;
  readonly head_to_head: { readonly meetings: readonly Meeting[]; readonly total: number };
}

/** Means by the names of statistics, beside what they were made of. */
type StatisticsRates = { readonly games: number } & Readonly<Record<string, unknown>>;

/** `home_`, `player_1`: this event's, wherever they met. */
export interface Meeting {
  readonly home_goals?: number | undefined;
  readonly away_goals?: number | undefined;
  readonly home_score?: number | undefined;
  readonly away_score?: number | undefined;
  readonly player_1_sets?: number | null | undefined;
  readonly player_2_sets?: number | null | undefined;
  readonly surface?: string | null | undefined;
}

/**
 * `GET /live/stream?date=YYYY-MM-DD`: one stream for the whole page. `event: hello` `{generated_at, date}` when it is open
 * (everything after what the board showed then is told; so open the stream first, then load the board), `event: board`
 * with a `BoardEvent`, a keep-alive comment after 15 s without one, `event: reconnect` `{reason}` before the server ends
 * it. A slow reader gets the newest state of an event, not each one before it. It follows the day that the board shows
 * for the same `date`. An event that has moved to another day is told once more, with its new start. More open pages
 * than the server takes: 503.
 */
export type LiveStreamEvent = 'hello' | 'board' | 'reconnect';

/** `GET /live/feeds`: how the live connectors are, by name. */
export interface LiveFeeds {
  readonly feeds: readonly LiveFeed[];
}

export interface LiveFeed {
  readonly name: string;
  readonly state: 'starting' | 'ok' | 'failing' | 'drift' | 'exhausted' | 'standby';
  readonly last_success_at: string | null;
  /** Credits of a provider that counts them, on this UTC day. */
  readonly budget: { readonly used: number; readonly limit: number } | null;
}
