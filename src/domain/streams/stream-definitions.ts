import type { DirectoryRank, Player, PlayerContent, Team, TeamContent } from '../directory/directory-entries.ts';
import { defineStream } from '../event-sourcing/stream-kind.ts';
import type { BoxMessage, FeedMatch, Known, LineupMessage } from '../feed/feed-messages.ts';
import type { Observation, Reconfirmation } from '../observations/observation.ts';
import type { EventSplits, SplitsContent } from '../odds/betting-splits.ts';
import type { BookPrices, PricesContent } from '../odds/bookmaker-prices.ts';
import type { BookMovements } from '../odds/line-movements.ts';
import type { InjuryContent } from '../sports-events/injury-reports.ts';
import type { SeasonFacts } from '../sports-events/season-facts.ts';
import type { Profile, ScheduleContent, ScoreContent, SportsEvent } from '../sports-events/sports-event.ts';

interface SportsEventData {
  EventScheduled: Observation<ScheduleContent, SportsEvent> & EventIdentity;
  ScheduleReconfirmed: Reconfirmation & EventIdentity;
  ScoreChanged: Observation<ScoreContent, SportsEvent> & EventIdentity;
  ScoreReconfirmed: Reconfirmation & EventIdentity;
  /** A source's own id of the event was learned; `turned`: it has the sides the other way round. */
  EventBound: { at: string; source: string; ref: string; turned: boolean } & EventIdentity;
  /** The directory tells more, or newer, of a side than the schedule did. */
  ParticipantDescribed: {
    at: string;
    source: string;
    side: string;
    rank: DirectoryRank;
    profile: Profile;
  } & EventIdentity;
  /** A source looked for injuries and found nothing new. */
  InjuriesChecked: { at: string; source: string } & EventIdentity;
}

/** `event-ID`: when a sports event starts, who plays, how it stands. */
export const eventStream = defineStream<SportsEventData>()({
  name: 'event',
  partition: 'event',
  versions: {
    EventScheduled: 1,
    ScheduleReconfirmed: 1,
    ScoreChanged: 1,
    ScoreReconfirmed: 1,
    EventBound: 1,
    ParticipantDescribed: 1,
    InjuriesChecked: 1,
  },
});

/** How a message named its sports event. `turned`: it has the sides the other way round than the event. */
export interface Origin {
  readonly ref?: string;
  /** Other sources' ids of the event that a schedule told of. */
  readonly refs?: Readonly<Record<string, string>>;
  readonly match?: FeedMatch;
  readonly turned?: true;
}

/** Which sports event a record is about, and how its message named it. */
export interface EventIdentity {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  readonly origin?: Origin;
}

interface OddsData {
  PricesChanged: Observation<PricesContent, { prices: BookPrices; movements: BookMovements }> & EventIdentity;
  PricesReconfirmed: Reconfirmation & EventIdentity & { readonly bookmaker: string };
}

/** `odds-ID`: the bookmakers' prices of a sports event. */
export const oddsStream = defineStream<OddsData>()({
  name: 'odds',
  partition: 'event',
  versions: { PricesChanged: 1, PricesReconfirmed: 1 },
});

interface SplitsData {
  SplitsChanged: Observation<SplitsContent, EventSplits> & EventIdentity;
  SplitsReconfirmed: Reconfirmation & EventIdentity;
}

/** `splits-ID`: how the bets on a sports event are split. */
export const splitsStream = defineStream<SplitsData>()({
  name: 'splits',
  partition: 'event',
  versions: { SplitsChanged: 1, SplitsReconfirmed: 1 },
});

/** Statistics and lineups are kept as they were said, in the order of arrival. */
export type BoxContent = Omit<Known<BoxMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;
export type LineupContent = Omit<Known<LineupMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;

interface BoxData {
  BoxChanged: Observation<BoxContent> & EventIdentity;
  BoxReconfirmed: Reconfirmation & EventIdentity;
}

/** `box-ID`: the statistics of a sports event. */
export const boxStream = defineStream<BoxData>()({
  name: 'box',
  partition: 'event',
  versions: { BoxChanged: 1, BoxReconfirmed: 1 },
});

interface LineupData {
  LineupChanged: Observation<LineupContent> & EventIdentity;
  LineupReconfirmed: Reconfirmation & EventIdentity;
}

/** `lineup-ID`: who plays for each side of a sports event. */
export const lineupStream = defineStream<LineupData>()({
  name: 'lineup',
  partition: 'event',
  versions: { LineupChanged: 1, LineupReconfirmed: 1 },
});

interface TeamData {
  TeamChanged: Observation<TeamContent, Team> & { teamId: number; sport: string; ref?: string };
  TeamReconfirmed: Reconfirmation & { teamId: number };
}

/** `team-ID`: what was said of a team. */
export const teamStream = defineStream<TeamData>()({
  name: 'team',
  partition: 'team',
  versions: { TeamChanged: 1, TeamReconfirmed: 1 },
});

interface PlayerData {
  PlayerChanged: Observation<PlayerContent, Player> & { playerId: number; sport: string; ref?: string };
  /** `ref` is the source's own id of the player: another source may have said the same before. */
  PlayerReconfirmed: Reconfirmation & { playerId: number; ref?: string };
}

/** `player-ID`: what was said of a player. */
export const playerStream = defineStream<PlayerData>()({
  name: 'player',
  partition: 'player',
  versions: { PlayerChanged: 1, PlayerReconfirmed: 1 },
});

/** How an injury message named its team and player. */
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
  InjuryReconfirmed: Reconfirmation & { teamId: number; sport: string; player: string };
  /** A player of whom reports are known by name only is now known to the directory. */
  InjuredPlayerIdentified: { at: string; source: string; teamId: number; player: string; playerId: number };
}

/** `injuries-TEAMID`: who of a team can play. */
export const injuriesStream = defineStream<InjuriesData>()({
  name: 'injuries',
  partition: 'team',
  versions: { InjuryReported: 1, InjuryReconfirmed: 1, InjuredPlayerIdentified: 1 },
});

interface SeasonData {
  SeasonDescribed: {
    at: string;
    source: string;
    seasonId: number;
    season: SeasonFacts;
  };
}

/** `season-ID`: what schedules tell of a season. */
export const seasonStream = defineStream<SeasonData>()({
  name: 'season',
  partition: 'season',
  versions: { SeasonDescribed: 1 },
});

interface IntelligenceData {
  IntelligencePublished: EventIdentity & {
    /** Of the fact by which the bets changed. */
    readonly at: string;
    readonly source: 'ledgerline';
    /** `nfl-1.0`; null: no model knows the sport. */
    readonly model_version: string | null;
    /** Of the whole event; null where nothing is known of its worth. */
    readonly has_recommend: boolean | null;
    /** Those that changed, as the API shows them. */
    readonly bets: readonly Readonly<Record<string, unknown>>[];
    readonly grounds: IntelligenceGrounds;
  };
}

/** What published intelligence rests on. Positions are decimal digits, for they are kept as JSON. */
export interface IntelligenceGrounds {
  /** What the server knew: every record up to this position. */
  readonly through: string;
  /** The event's own records of that moment; none where it was a result or a ranking that changed the bets. */
  readonly facts: readonly string[];
}

/** `intelligence-ID`: what the server itself found of the bets on a sports event, before its start. */
export const intelligenceStream = defineStream<IntelligenceData>()({
  name: 'intelligence',
  partition: 'event',
  versions: { IntelligencePublished: 1 },
});
