import type { Known, PlayerMessage, TeamMessage, VenueFacts } from '../feed/feed-messages.ts';
import { playerMessage, teamMessage } from '../feed/message-schemas.ts';
import type { Observation } from '../observations/observation.ts';
import { mergeDefined } from '../primitives/own-properties.ts';
import type { Profile } from '../sports-events/sports-event.ts';

/**
 * `named`: a schedule mentioned the team or player; the earliest mention counts, and only until a description arrives.
 * `described`: from a `team` or `player` message; the newest one counts.
 */
export type DirectoryRank = 'named' | 'described';

export type TeamFacts = Omit<
  Known<TeamMessage>,
  'kind' | 'source' | 'at' | 'ref' | 'sport' | 'league' | 'venue' | 'abbreviation'
> & {
  readonly abbreviation?: string;
  readonly venue?: Known<VenueFacts> & { readonly id: number };
};
export interface TeamContent {
  readonly rank: DirectoryRank;
  readonly league: string;
  readonly facts: TeamFacts;
}

export type PlayerFacts = Omit<Known<PlayerMessage>, 'kind' | 'source' | 'at' | 'ref' | 'sport' | 'league'> & {
  /** Resolved from `team_ref`. */
  readonly team_id?: number;
};
export interface PlayerContent {
  readonly rank: DirectoryRank;
  readonly league?: string;
  readonly facts: PlayerFacts;
}

/** Names that an operator gave, sorted; absent: none. */
interface Aliased {
  aliased?: readonly string[];
}
export interface Team extends Aliased {
  league: string;
  facts: TeamFacts;
}
export interface Player extends Aliased {
  league?: string;
  facts: PlayerFacts;
}

/** All other names of an entry: those of its sources, and those that an operator gave. */
export const aliasesOf = ({
  facts: { aliases = [] },
  aliased = [],
}: Aliased & { readonly facts: { readonly aliases?: readonly string[] | undefined } }): readonly string[] => [
  ...aliases,
  ...aliased,
];

/** The names that an operator gave, after one more change. */
export function applyAlias(
  { aliased = [] }: Aliased,
  { alias, isKnown }: { readonly alias: string; readonly isKnown: boolean },
): Aliased {
  const others = aliased.filter((name) => name !== alias);
  const names = isKnown ? [...others, alias].sort() : others;
  return names.length === 0 ? {} : { aliased: names };
}

/** What a report on the entry does not change. */
export const keptOf = (entry: Aliased | undefined): Aliased => (entry?.aliased ? { aliased: entry.aliased } : {});

const ENVELOPE = ['kind', 'source', 'at', 'ref', 'sport', 'league'];

/**
 * The documented members of a message on an entry. It may carry any others, which stay in its record: if they were
 * folded too, an entry would grow with every message, and the log with the square of their number, since a late record
 * carries the entry.
 */
const factsOf = (shape: object, more: readonly string[] = []): ReadonlySet<string> =>
  new Set([...Object.keys(shape), ...more].filter((name) => !ENVELOPE.includes(name)));
const TEAM_FACTS = factsOf(teamMessage.shape);
const PLAYER_FACTS = factsOf(playerMessage.shape, ['team_id']);

const known = <Facts extends object>(facts: Facts, names: ReadonlySet<string>): Facts =>
  Object.fromEntries(Object.entries(facts).filter(([name]) => names.has(name))) as Facts;

/** Applies a report to a directory entry. A field that is absent keeps its value; `late` is the whole entry. */
export const applyTeam = (team: Team | undefined, { content, late }: Observation<TeamContent, Team>): Team =>
  late
    ? { ...late, facts: known(late.facts, TEAM_FACTS) }
    : { league: content.league, facts: mergeDefined(team?.facts, known(content.facts, TEAM_FACTS)) };

export const applyPlayer = (
  player: Player | undefined,
  { content, late }: Observation<PlayerContent, Player>,
): Player =>
  late
    ? { ...late, facts: known(late.facts, PLAYER_FACTS) }
    : {
        league: content.league ?? player?.league,
        facts: mergeDefined(player?.facts, known(content.facts, PLAYER_FACTS)),
      };

/** The data of a team that its events show. */
export const teamProfile = ({ facts }: Team): Profile => ({
  name: facts.name,
  abbreviation: facts.abbreviation ?? null,
  country_code: facts.country_code ?? null,
  image_url: facts.image_url ?? null,
});

export const playerProfile = ({ facts }: Player): Profile => ({
  name: facts.full_name,
  abbreviation: null,
  country_code: facts.country_code ?? null,
  image_url: facts.image_url ?? null,
});
