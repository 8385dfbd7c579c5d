import { type PlayerNamesDocument, playerNamesIndex } from '../../../projections/directory/player-names.ts';
import { type TeamNamesDocument, teamNamesIndex } from '../../../projections/directory/team-names.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import {
  exactKeysOfQuery,
  parsePlayerQuery,
  partialKeysOfQuery,
  typoKeysOfQuery,
} from '../../domain/directory/naming/player-name-keys.ts';
import { parseTeamQuery, teamQueryKeys } from '../../domain/directory/naming/team-name-keys.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { sideName } from '../../read-models/rendering/render-event.ts';
import type { DocumentReader, Query } from '../../read-models/store/document-reader.ts';
import { matchPlayerName, otherFullNames, PLAYER_MATCH_FORMS } from '../../text/name-matching/match-player-name.ts';
import { matchTeamName, TEAM_MATCH_FORMS } from '../../text/name-matching/match-team-name.ts';

export interface NearEntriesParts {
  /** The names of the directory. Absent: no read models are built, and only events tell who may be meant. */
  readonly directory?: Pick<DocumentReader, 'find'> | undefined;
  readonly identities: Pick<Identities, 'findByName' | 'findEntity'>;
}

/** A team or a player that a name may mean. */
export interface NearEntry {
  readonly id: number;
  readonly name: string;
}

const MAX_ENTRIES = 5;
const MAX_FOUND = 200;
/** Words of a name that are looked for: longer ones are no names. */
const MAX_WORDS = 6;

interface AskedTeam {
  readonly sport: string;
  readonly league: string;
  readonly name: string;
  /** Sides that are known of the message itself. */
  readonly known: readonly (string | undefined)[];
  /** Events in which a known side of the message plays near its start. */
  readonly near: readonly EventDocument[];
}

/** Who plays the known side near the start that the message gives, and then the teams of the league whose names are nearest. */
export async function findNearTeams(parts: NearEntriesParts, asked: AskedTeam): Promise<readonly NearEntry[]> {
  return firstEntries(opponents('team', asked), await teamsByName(parts.directory, asked));
}

const firstEntries = (...lists: readonly (readonly NearEntry[])[]): readonly NearEntry[] =>
  [...new Map(lists.flat().map((entry) => [entry.id, entry])).values()].slice(0, MAX_ENTRIES);

/** Who plays the known sides in the events near. */
function opponents(kind: 'team' | 'player', { known, near }: Pick<AskedTeam, 'known' | 'near'>): readonly NearEntry[] {
  return near.flatMap((document) =>
    (document.sides ?? []).flatMap(({ id, key }, index) =>
      key.startsWith(`${kind}:`) && id !== null && !known.includes(key)
        ? [{ id, name: sideName(document, index as 0 | 1) }]
        : [],
    ),
  );
}

async function teamsByName(
  directory: NearEntriesParts['directory'],
  { league, name }: AskedTeam,
): Promise<readonly NearEntry[]> {
  for (const texts of directory ? partsOfName(name) : []) {
    const queries = texts.map(parseTeamQuery);
    const keys = [...new Set(queries.flatMap(teamQueryKeys))];
    if (keys.length === 0) continue;
    const where = { keys, league };
    const stored = await directory!.find<TeamNamesDocument>(teamNamesIndex.name, { where, limit: MAX_FOUND });
    const found = nearest(stored, (document) =>
      queries.map((query) => TEAM_MATCH_FORMS[matchTeamName(query, document)!] ?? 0),
    );
    if (found.length > 0) return found.map(({ id, facts }) => ({ id, name: facts.name }));
  }
  return [];
}

interface AskedPlayer extends Omit<AskedTeam, 'league'> {
  readonly source: string;
  readonly message: unknown;
}

/**
 * Who plays the known side near the start that the message gives. Then those whose names are nearest: players of the
 * team that the message names, or of its event, or of the sport.
 */
export async function findNearPlayers(parts: NearEntriesParts, asked: AskedPlayer): Promise<readonly NearEntry[]> {
  return firstEntries(opponents('player', asked), await playersByName(parts, asked));
}

async function playersByName(parts: NearEntriesParts, asked: AskedPlayer): Promise<readonly NearEntry[]> {
  const { directory } = parts;
  if (!directory) return [];
  const { sport, name } = asked;
  const teams = await teamsOf(parts, asked);
  const where: Query['where'] = teams.length > 0 ? { team_id: teams, sport } : { sport };
  for (const texts of partsOfName(name)) {
    const queries = texts.map(parsePlayerQuery).filter(({ text }) => text !== '');
    const keys = [
      ...new Set(
        queries.flatMap((query) => [
          ...exactKeysOfQuery(query, otherFullNames(query)),
          ...partialKeysOfQuery(query),
          ...typoKeysOfQuery(query),
        ]),
      ),
    ];
    if (keys.length === 0) continue;
    const limited = { where: { keys, ...where }, limit: MAX_FOUND };
    const stored = await directory.find<PlayerNamesDocument>(playerNamesIndex.name, limited);
    const found = nearest(stored, (document) =>
      queries.map((query) => PLAYER_MATCH_FORMS[matchPlayerName(query, document, true)!] ?? 0),
    );
    if (found.length > 0) return found.map(({ id, facts }) => ({ id, name: facts.full_name }));
  }
  return [];
}

async function teamsOf(
  { identities }: NearEntriesParts,
  { sport, source, message, near }: AskedPlayer,
): Promise<readonly number[]> {
  const { team_ref: ref, team } = (message ?? {}) as { team_ref?: unknown; team?: unknown };
  const bound = typeof ref === 'string' ? await identities.findEntity('team', sport, source, ref) : undefined;
  if (bound !== undefined) return [bound];
  const named = typeof team === 'string' ? await identities.findByName('team', sport, normalizeName(team)) : [];
  if (named.length > 0) return named;
  return near.flatMap(({ sides }) =>
    (sides ?? []).flatMap(({ id, key }) => (id !== null && key.startsWith('team:') ? [id] : [])),
  );
}

/** Those that fit at all, the best first. @param pointsOf by each spelling that is tried; 0: it does not fit */
const nearest = <Document extends { readonly id: number }>(
  stored: readonly { readonly document: Document }[],
  pointsOf: (document: Document) => readonly number[],
): Document[] =>
  stored
    .map(({ document }) => ({ document, points: Math.max(...pointsOf(document)) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points || one.document.id - other.document.id)
    .slice(0, MAX_ENTRIES)
    .map(({ document }) => document);

/** The name, then its parts: all runs of one word less at a time. */
function partsOfName(name: string): readonly (readonly string[])[] {
  const words = name.split(/\s+/u).slice(0, MAX_WORDS);
  const lengths = words.map((_, index) => words.length - index);
  return [
    [name],
    ...lengths
      .slice(1)
      .map((length) =>
        words.slice(0, words.length - length + 1).map((_, from) => words.slice(from, from + length).join(' ')),
      ),
  ];
}
