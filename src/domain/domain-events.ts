import type { DirectoryRank, Player, PlayerContent, Team, TeamContent } from './directory.ts';
import type { BoxMessage, FeedMatch, Known, LineupMessage } from './feed/messages.ts';
import type { InjuryContent } from './injuries.ts';
import type { BookMovements } from './movements.ts';
import type { Observation, Reconfirmation } from './observation.ts';
import type { BookPrices, PricesContent } from './prices.ts';
import type { LogRecord, NewRecord } from './record.ts';
import type { SeasonFacts } from './seasons.ts';
import type { EventSplits, SplitsContent } from './splits.ts';
import type { Profile, ScheduleContent, ScoreContent, SportsEvent } from './sports-event.ts';

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

/** How an injury message named its team and player. */
export interface InjuryOrigin {
  readonly league: string;
  readonly team?: string;
  readonly team_ref?: string;
  readonly player_ref?: string;
}

/** Statistics and lineups are kept as they were said; their read models come with the operations that need them. */
export type BoxContent = Omit<Known<BoxMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;
export type LineupContent = Omit<Known<LineupMessage>, 'kind' | 'source' | 'at' | 'ref' | 'match'>;

/** `data` of every domain event, by type. Streams: `event-ID`, `odds-ID`, `splits-ID`, `box-ID`, `lineup-ID`,
 *  `team-ID`, `player-ID`, `injuries-TEAMID`, `season-ID`. */
export interface DomainEventData {
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
  PricesChanged: Observation<PricesContent, { prices: BookPrices; movements: BookMovements }> & EventIdentity;
  PricesReconfirmed: Reconfirmation & EventIdentity & { readonly bookmaker: string };
  SplitsChanged: Observation<SplitsContent, EventSplits> & EventIdentity;
  SplitsReconfirmed: Reconfirmation & EventIdentity;
  BoxChanged: Observation<BoxContent> & EventIdentity;
  BoxReconfirmed: Reconfirmation & EventIdentity;
  LineupChanged: Observation<LineupContent> & EventIdentity;
  LineupReconfirmed: Reconfirmation & EventIdentity;
  TeamChanged: Observation<TeamContent, Team> & { teamId: number; sport: string; ref?: string };
  TeamReconfirmed: Reconfirmation & { teamId: number };
  PlayerChanged: Observation<PlayerContent, Player> & { playerId: number; sport: string; ref?: string };
  PlayerReconfirmed: Reconfirmation & { playerId: number };
  InjuryReported: Observation<InjuryContent> & {
    teamId: number;
    sport: string;
    player: string;
    origin: InjuryOrigin;
  };
  InjuryReconfirmed: Reconfirmation & { teamId: number; sport: string; player: string };
  /** A player of whom reports are known by name only is now known to the directory. */
  InjuredPlayerIdentified: { at: string; source: string; teamId: number; player: string; playerId: number };
  SeasonDescribed: {
    at: string;
    source: string;
    seasonId: number;
    season: SeasonFacts;
  };
}
export type DomainEventType = keyof DomainEventData;
export type DomainEvent = { [T in DomainEventType]: NewRecord<T, DomainEventData[T]> }[DomainEventType];
export type DomainRecord = { [T in DomainEventType]: LogRecord<T, DomainEventData[T]> }[DomainEventType];

/** Present versions of the domain events' shapes; older ones are brought up when they are read. */
export const CURRENT_VERSIONS: Readonly<Record<DomainEventType, number>> = {
  EventScheduled: 1,
  ScheduleReconfirmed: 1,
  ScoreChanged: 1,
  ScoreReconfirmed: 1,
  EventBound: 1,
  ParticipantDescribed: 1,
  InjuriesChecked: 1,
  PricesChanged: 1,
  PricesReconfirmed: 1,
  SplitsChanged: 1,
  SplitsReconfirmed: 1,
  BoxChanged: 1,
  BoxReconfirmed: 1,
  LineupChanged: 1,
  LineupReconfirmed: 1,
  TeamChanged: 1,
  TeamReconfirmed: 1,
  PlayerChanged: 1,
  PlayerReconfirmed: 1,
  InjuryReported: 1,
  InjuryReconfirmed: 1,
  InjuredPlayerIdentified: 1,
  SeasonDescribed: 1,
};

/** Names of streams and partitions. */
export const streams = {
  event: (id: number | string) => `event-${id}`,
  odds: (id: number | string) => `odds-${id}`,
  splits: (id: number | string) => `splits-${id}`,
  box: (id: number | string) => `box-${id}`,
  lineup: (id: number | string) => `lineup-${id}`,
  team: (id: number | string) => `team-${id}`,
  player: (id: number | string) => `player-${id}`,
  injuries: (teamId: number | string) => `injuries-${teamId}`,
  season: (id: number | string) => `season-${id}`,
} as const;
export const partitions = {
  event: (id: number | string) => `event-${id}`,
  team: (id: number | string) => `team-${id}`,
  player: (id: number | string) => `player-${id}`,
  season: (id: number | string) => `season-${id}`,
} as const;
