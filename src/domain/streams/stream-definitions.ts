import type { DirectoryRank, Player, PlayerContent, Team, TeamContent } from '../directory/directory-entries.ts';
import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { BoxMessage, FeedMatch, Known, LineupMessage } from '../feed/feed-messages.ts';
import type { Observation, Reconfirmation, Repetition } from '../observations/observation.ts';
import type { EventSplits, SplitsContent } from '../odds/betting-splits.ts';
import type { DepthChange } from '../odds/book-depth.ts';
import type { BookPrices, PricesContent } from '../odds/bookmaker-prices.ts';
import type { BookMovements } from '../odds/line-movements.ts';
import type { SuspectNews } from '../odds/suspect-news.ts';
import type { InjuryContent } from '../sports-events/injury-reports.ts';
import type { SeasonFacts } from '../sports-events/season-facts.ts';
import type { Profile, ScheduleContent, ScoreContent, SportsEvent } from '../sports-events/sports-event.ts';

interface SportsEventData {
  EventScheduled: Observation<ScheduleContent, SportsEvent> & EventIdentity;
  ScheduleReconfirmed: Reconfirmation & EventIdentity;
  ScheduleRepeated: Repetition & EventIdentity;
  ScoreChanged: Observation<ScoreContent, SportsEvent> & EventIdentity;
  ScoreReconfirmed: Reconfirmation & EventIdentity;
  ScoreRepeated: Repetition & EventIdentity;
  /** A source's id of the event became known; `turned`: the source has the sides in the opposite order. */
  EventBound: { at: string; source: string; ref: string; turned: boolean } & EventIdentity;
  /** The directory has more or newer data about a side than the schedule. */
  ParticipantDescribed: {
    at: string;
    source: string;
    side: string;
    rank: DirectoryRank;
    profile: Profile;
  } & EventIdentity;
  /** A source checked injuries and found nothing new. */
  InjuriesChecked: { at: string; source: string } & EventIdentity;
  /**
   * An operator has mended an identity: from this record on the streams of the event are those with the suffix of this
   * one (`stream-replacements.ts`). All that they hold before this record was reported earlier.
   */
  EventRestated: Restated & EventIdentity;
}

/** `previous`: the suffix until now; null: none. */
interface Restated {
  readonly at: string;
  readonly source: string;
  readonly act: number;
  readonly suffix: string;
  readonly previous: string | null;
}

/** `event-ID`: schedule, sides and score of a sports event. */
export const eventStream = defineStream<SportsEventData>()({
  name: 'event',
  partition: 'event',
  versions: {
    EventScheduled: 1,
    ScheduleReconfirmed: 1,
    ScheduleRepeated: 1,
    ScoreChanged: 1,
    ScoreReconfirmed: 1,
    ScoreRepeated: 1,
    EventBound: 1,
    ParticipantDescribed: 1,
    InjuriesChecked: 1,
    EventRestated: 1,
  },
});

/** How a message identified its sports event. `turned`: the message has the sides in the opposite order. */
export interface Origin {
  readonly ref?: string;
  /** Ids of the event at other sources, from a schedule. */
  readonly refs?: Readonly<Record<string, string>>;
  readonly match?: FeedMatch;
  readonly turned?: true;
}

/** The sports event of a record, and how its message identified it. */
export interface EventIdentity {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  readonly origin?: Origin;
}

/** What else the message has changed: the order books of a venue. Beside the content, so that equal prices stay equal. */
interface WithDepth {
  readonly depth?: readonly DepthChange[];
}

interface OddsData {
  PricesChanged: Observation<PricesContent, { prices: BookPrices; movements: BookMovements }> &
    EventIdentity &
    WithDepth & { readonly suspect?: SuspectNews };
  PricesReconfirmed: Reconfirmation & EventIdentity & { readonly bookmaker: string } & WithDepth;
  PricesRepeated: Repetition & EventIdentity & { readonly bookmaker: string };
}

/** `odds-ID`: the prices of bookmakers on a sports event. */
export const oddsStream = defineStream<OddsData>()({
  name: 'odds',
  partition: 'event',
  versions: { PricesChanged: 1, PricesReconfirmed: 1, PricesRepeated: 1 },
});

interface SplitsData {
  SplitsChanged: Observation<SplitsContent, EventSplits> & EventIdentity;
  SplitsReconfirmed: Reconfirmation & EventIdentity;
  SplitsRepeated: Repetition & EventIdentity;
}

/** `splits-ID`: the betting splits of a sports event. */
export const splitsStream = defineStream<SplitsData>()({
  name: 'splits',
  partition: 'event',
  versions: { SplitsChanged: 1, SplitsReconfirmed: 1, SplitsRepeated: 1 },
});

/** Statistics and lineups are stored as reported, in order of arrival. */
export type BoxContent = Omit<Known<BoxMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;
export type LineupContent = Omit<Known<LineupMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;

interface BoxData {
  BoxChanged: Observation<BoxContent> & EventIdentity;
  BoxReconfirmed: Reconfirmation & EventIdentity;
  BoxRepeated: Repetition & EventIdentity;
}

/** `box-ID`: the statistics of a sports event. */
export const boxStream = defineStream<BoxData>()({
  name: 'box',
  partition: 'event',
  versions: { BoxChanged: 1, BoxReconfirmed: 1, BoxRepeated: 1 },
});

interface LineupData {
  LineupChanged: Observation<LineupContent> & EventIdentity;
  LineupReconfirmed: Reconfirmation & EventIdentity;
  LineupRepeated: Repetition & EventIdentity;
}

/** `lineup-ID`: the lineups of a sports event. */
export const lineupStream = defineStream<LineupData>()({
  name: 'lineup',
  partition: 'event',
  versions: { LineupChanged: 1, LineupReconfirmed: 1, LineupRepeated: 1 },
});

interface TeamData {
  TeamChanged: Observation<TeamContent, Team> & { teamId: number; sport: string; ref?: string };
  /** `ref` is the id of the team at this source; absent in records of earlier versions. */
  TeamReconfirmed: Reconfirmation & { teamId: number; ref?: string };
  TeamRepeated: Repetition & { teamId: number; ref?: string };
  /** An operator gave the team another name, or took it back; see `identityStream`. */
  TeamAliasChanged: AliasChange & { teamId: number };
  /** See `EventRestated`: the streams of the team, and those of its injuries. */
  TeamRestated: Restated & { readonly teamId: number; readonly sport: string };
}

/** `act`: the act that says so. */
interface AliasChange {
  readonly at: string;
  readonly source: string;
  readonly sport: string;
  readonly alias: string;
  readonly isKnown: boolean;
  readonly act: number;
}

/** `team-ID`: the reports on a team. */
export const teamStream = defineStream<TeamData>()({
  name: 'team',
  partition: 'team',
  versions: { TeamChanged: 1, TeamReconfirmed: 1, TeamRepeated: 1, TeamAliasChanged: 1, TeamRestated: 1 },
});

interface PlayerData {
  PlayerChanged: Observation<PlayerContent, Player> & { playerId: number; sport: string; ref?: string };
  /** `ref` is the id of the player at this source: another source may have reported the same content before. */
  PlayerReconfirmed: Reconfirmation & { playerId: number; ref?: string };
  PlayerRepeated: Repetition & { playerId: number; ref?: string };
  PlayerAliasChanged: AliasChange & { playerId: number };
  /** See `EventRestated`. */
  PlayerRestated: Restated & { readonly playerId: number; readonly sport: string };
}

/** `player-ID`: the reports on a player. */
export const playerStream = defineStream<PlayerData>()({
  name: 'player',
  partition: 'player',
  versions: { PlayerChanged: 1, PlayerReconfirmed: 1, PlayerRepeated: 1, PlayerAliasChanged: 1, PlayerRestated: 1 },
});

/** How an injury message identified its team and player. */
export interface InjuryOrigin {
  readonly league: string;
  readonly team?: string;
  readonly team_ref?: string;
  readonly player_ref?: string;
}

interface InjuriesData {
  InjuryReported: Observation<InjuryContent> & {
    teamId: number;
    sport: string;
    player: string;
    origin: InjuryOrigin;
  };
  /** `origin` is that of the repetition: another source may have reported the same before. Absent in earlier records. */
  InjuryReconfirmed: Reconfirmation & { teamId: number; sport: string; player: string; origin?: InjuryOrigin };
  InjuryRepeated: Repetition & { teamId: number; sport: string; player: string; origin: InjuryOrigin };
  /** The directory now knows a player who had reports by name only. */
  InjuredPlayerIdentified: { at: string; source: string; teamId: number; player: string; playerId: number };
}

/** `injuries-TEAMID`: the availability of a team's players. */
export const injuriesStream = defineStream<InjuriesData>()({
  name: 'injuries',
  partition: 'team',
  versions: { InjuryReported: 1, InjuryReconfirmed: 1, InjuryRepeated: 1, InjuredPlayerIdentified: 1 },
});

interface SeasonData {
  SeasonDescribed: {
    at: string;
    source: string;
    seasonId: number;
    season: SeasonFacts;
    /** Of a league of CONFIG. */
    sport?: string;
  };
}

/** `season-ID`: the data on a season from schedules. */
export const seasonStream = defineStream<SeasonData>()({
  name: 'season',
  partition: 'season',
  versions: { SeasonDescribed: 1 },
});

interface IntelligenceData {
  IntelligencePublished: EventIdentity & {
    /** Time of the observation that changed the bets. */
    readonly at: string;
    readonly source: 'ledgerline';
    /** `nfl-1.0`; null: the sport has no model. */
    readonly model_version: string | null;
    /** For the whole event; null if the value of its bets is unknown. */
    readonly has_recommend: boolean | null;
    /** The changed bets, as in API answers. */
    readonly bets: readonly Readonly<Record<string, unknown>>[];
    readonly grounds: IntelligenceGrounds;
    /** Of its leaf in the day's seal: 32 hexadecimal digits. Absent in records of earlier versions, which are not sealed. */
    readonly salt?: string;
    /** The bets that this publication selects; absent: none. */
    readonly selections?: readonly PublishedSelection[];
  };
}

/**
 * The first publication in which the forecast of a bet was far enough above its fair probability. Each bet of an event is
 * selected once.
 */
export interface PublishedSelection {
  readonly bet_type: string;
  /** Signed for the bet's side; null for a moneyline. */
  readonly line: number | null;
  readonly probability: number;
  readonly fair_probability: number;
  /** The best price then; null if unknown. */
  readonly best: { readonly book: string; readonly price: number } | null;
  /** See `SALT_TEXT`. */
  readonly salt: string;
}

/** The records behind published intelligence. Positions are decimal digits, because they are stored as JSON. */
export interface IntelligenceGrounds {
  /** The server had read every record up to this position. */
  readonly through: string;
  /** Positions of the event's own records of that moment; empty if a result or a ranking changed the bets. */
  readonly facts: readonly string[];
}

/** `intelligence-ID`: the server's assessment of the bets on a sports event, before its start. */
export const intelligenceStream = defineStream<IntelligenceData>()({
  name: 'intelligence',
  partition: 'event',
  versions: { IntelligencePublished: 1 },
});
