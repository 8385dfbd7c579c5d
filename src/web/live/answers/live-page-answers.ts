import type { EventStatus } from '../../../domain/catalogue/catalogue.ts';

/**
 * The answers of the routes under `/live/`, for the page at `/`. The routes need no key, only read, cost nothing, and
 * are not part of the API's contract. Times are ISO 8601 with Z. The page only draws these answers; it knows no rules
 * of sports.
 */

/**
 * `GET /live/board?date=YYYY-MM-DD`: a day's events. Without a date, or on a day without events, the nearest day with
 * events; `date` tells which.
 */
export interface Board {
  readonly date: string;
  /** The nearest days before and after that have events; null if there are none. */
  readonly previous_date: string | null;
  readonly next_date: string | null;
  readonly generated_at: string;
  /** Whether some events are simulated. */
  readonly simulated: boolean;
  /** Sports with events on that day, in the order of the catalogue. */
  readonly sports: readonly BoardSport[];
  /**
   * Live ones first (inprogress, suspended), then upcoming (scheduled, delayed), then ended (final, walkover; last
   * cancelled and postponed). Within these by start, then by id.
   */
  readonly events: readonly BoardEvent[];
}

export interface BoardSport {
  readonly slug: string;
  readonly name: string;
  readonly leagues: readonly { readonly slug: string; readonly name: string; readonly abbreviation: string }[];
}

/** One event as the board shows it. `event: board` of the stream carries the whole event whenever it has changed. */
export interface BoardEvent {
  readonly id: number;
  readonly name: string;
  readonly sport: string;
  readonly league: string;
  readonly starts_at: string;
  readonly status: EventStatus;
  readonly period_label: string | null;
  readonly clock: string | null;
  /** Two sides in display order, which is that of the name: American sports name the away side first. */
  readonly sides: readonly BoardSide[];
  /** Each side's scores by period, in the order of `sides`; null where a side has none. */
  readonly periods: readonly { readonly period: string; readonly scores: readonly [number | null, number | null] }[];
  /** Up to three markets of one bookmaker: the first bookmaker, in the order of the specification, that has prices. */
  readonly lines: readonly BoardLine[];
  /** How many bookmakers have prices. */
  readonly bookmakers: number;
  readonly simulated: boolean;
  /**
   * The log position that this event reflects. Of two versions the one with the greater position is newer; with equal
   * positions, the later one to arrive.
   * `0` in an `as_of` answer.
   */
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

export type Market = 'h2h' | 'spreads' | 'totals';

export interface BoardLine {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly market: Market;
  /** `moneyline`, `spread`, `totals`. */
  readonly label: string;
  readonly outcomes: readonly LineOutcome[];
  /**
   * The movement of the first outcome, oldest first, at most 60 points with its price, and its line if it has one. The
   * first point is the value before the first movement, at the time of that movement. Empty if it never moved.
   */
  readonly series: readonly LinePoint[];
}

export interface LineOutcome {
  /** `home`, `over`, ...; `name` is the API's name for it. */
  readonly outcome: string;
  readonly name: string;
  readonly price: number;
  readonly point: number | null;
  /** The last movement of this outcome; null if it never moved. */
  readonly moved: { readonly at: string; readonly price_from: number; readonly point_from: number | null } | null;
}

export interface LinePoint {
  readonly at: string;
  readonly price: number;
  readonly point: number | null;
}

/**
 * `GET /live/events/{id}/story`: everything that happened, on one time axis. A point is a change of the status, the
 * period or a score (with the clock at that time), or of a price or its line. A line has at most 400 points. Injuries
 * are changes of a player's status between the first moment of the story and the end of the event.
 */
export interface Story {
  readonly event_id: number;
  readonly simulated: boolean;
  /** The first and last moment of the content. */
  readonly from: string;
  readonly to: string;
  readonly scores: readonly ScorePoint[];
  /** The main lines of every bookmaker with prices. */
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
  /** In the order of the board's `sides`; null if there is no score. */
  readonly scores: readonly [string | null, string | null];
}

export interface StoryLine {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly market: Market;
  readonly outcome: string;
  readonly name: string;
  readonly points: readonly LinePoint[];
}

/**
 * `GET /live/events/{id}?as_of=T`: the event as it stands, or as it stood by everything observed until T (the API's
 * `as_of` with `as_of_basis=observed`). 404 with the API's error envelope if there was no event yet.
 */
export interface EventSnapshot {
  readonly event: BoardEvent;
  readonly as_of: string | null;
  /** Venue, round, competition and broadcast, as in the API's event detail. */
  readonly detail: {
    readonly venue: string | null;
    readonly round: string | null;
    readonly competition: string | null;
    readonly broadcast: string | null;
    readonly scheduled_start_at: string | null;
  };
  /** The main lines of every bookmaker. */
  readonly odds: readonly {
    readonly bookmaker: { readonly slug: string; readonly name: string };
    readonly captured_at: string;
    readonly markets: readonly {
      readonly market: Market;
      readonly label: string;
      readonly outcomes: readonly (Pick<LineOutcome, 'outcome' | 'name' | 'price' | 'point'> & {
        /** Present of a price far outside every other of its line that nothing confirms yet. */
        readonly suspect?: true;
      })[];
    }[];
  }[];
  /** Consensus; null if there is none. */
  readonly splits: {
    readonly captured_at: string;
    readonly markets: readonly {
      readonly market: string;
      readonly sides: readonly { readonly side: string; readonly bets_pct: number; readonly handle_pct: number }[];
    }[];
  } | null;
}

/**
 * The prices that bookmakers offer at one line, and how the line stands. `books` holds American odds by bookmaker and
 * outcome.
 */
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

/**
 * `GET /live/events/{id}/lines?as_of=T`: period lines, team totals and player props in the form of the API. Each list
 * is empty if there are none.
 */
export interface EventLines {
  readonly event_id: number;
  readonly as_of: string | null;
  /** Names of the bookmakers by slug. */
  readonly bookmakers: Readonly<Record<string, string>>;
  readonly period_odds: readonly PeriodLine[];
  readonly team_props: readonly TeamTotal[];
  readonly player_props: readonly PlayerProp[];
}

/**
 * `GET /live/events/{id}/stats`: the API's answer to `/v1/events/{id}/stats`. Members that a sport lacks are absent.
 */
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

/** Means by the names of statistics, and the data that they were made from. */
type StatisticsRates = { readonly games: number } & Readonly<Record<string, unknown>>;

/** `home_` and `player_1` are this event's sides, wherever they met. */
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
 * `GET /live/stream?date=YYYY-MM-DD`: one stream for the whole page. It sends `event: hello` `{generated_at, date}` on
 * opening, `event: board` with a `BoardEvent`, a keep-alive comment after 15 s of silence, and `event: reconnect`
 * `{reason}` before the server ends it. All changes after `hello` are sent, so open the stream first and then load the
 * board. A slow reader gets only the newest state of an event. The stream follows the day that the board shows for the
 * same `date`. An event that moves to another day is sent once more, with its new start. 503 if too many pages are
 * open. With `odds=MARKET` it sends `event: odds` with an `OddsRow` in the place of `event: board`.
 */
export type LiveStreamEvent = 'hello' | 'board' | 'odds' | 'reconnect';

/** `GET /live/feeds`: the state of the live connectors by name. */
export interface LiveFeeds {
  readonly feeds: readonly LiveFeed[];
  /** Leagues whose feed is down, by name: that nothing is live there may not be true. Absent: none. */
  readonly down?: readonly { readonly league: string; readonly stale_seconds: number }[];
}

export interface LiveFeed {
  readonly name: string;
  readonly state: 'starting' | 'ok' | 'refused' | 'failing' | 'drift' | 'exhausted' | 'standby';
  readonly last_success_at: string | null;
  /** Credits used on this UTC day, if the provider counts credits. */
  readonly budget: { readonly used: number; readonly limit: number } | null;
}
