import { players } from '../../../projections/directory/players.ts';
import { teams } from '../../../projections/directory/teams.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { FeedMatch, ScheduleMessage } from '../../domain/feed/feed-messages.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { Identities, WaitingGroup } from '../../ingest/identities/identities.ts';
import { parseGroupId } from '../../ingest/identities/waiting-groups.ts';
import { eventName } from '../../read-models/rendering/render-event.ts';
import type { CandidateRow, WaitingRow } from '../../web/account/admin/identity-desk.ts';
import { extraMembers } from './extra-members.ts';
import { findNearPlayers, findNearTeams, type NearEntriesParts, type NearEntry } from './near-entries.ts';
import { findNearEvents, isSwapped, type NamedSides, type NearParts, namedSides } from './near-events.ts';
import { adviceOf } from './waiting-advice.ts';
import { waitingGroupPages } from './waiting-group-pages.ts';
import { waitingNames } from './waiting-names.ts';

type RowParts = NearParts &
  NearEntriesParts & { readonly identities: NearParts['identities'] & Pick<Identities, 'listWaiting'> };

export type WaitingParts = RowParts & { readonly identities: Pick<Identities, 'listWaitingGroups'> };

export interface WaitingFilter {
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
  readonly league?: string | undefined;
}

/** What waits, by source and ref, in pages. */
export async function* eachWaiting(
  parts: WaitingParts,
  { source, reason, league }: WaitingFilter = {},
): AsyncGenerator<readonly WaitingRow[]> {
  for await (const groups of waitingGroupPages(parts.identities, source)) {
    const rows = await waitingRows(parts, groups);
    yield rows.filter(
      (row) => (reason === undefined || row.reason === reason) && (league === undefined || row.league === league),
    );
  }
}

export async function waitingRows(parts: RowParts, groups: readonly WaitingGroup[]): Promise<readonly WaitingRow[]> {
  const rows: WaitingRow[] = [];
  for (const group of groups) rows.push(await waitingRow(parts, group));
  return rows;
}

/** Messages of a group that are looked through for what they say beyond the contract. */
const LOOKED_THROUGH = 10;

async function waitingRow(parts: RowParts, group: WaitingGroup): Promise<WaitingRow> {
  const { id, messages, kinds, firstAt, lastAt, oldest } = group;
  const { source = '', ref = null, what = null } = parseGroupId(id) ?? {};
  const match = matchOf(oldest.message);
  const sides = match === null ? [] : await namedSides(parts, match);
  const toRow = (document: EventDocument | NamedEntry) => candidateRow(document, match?.['starts_at'], sides);
  const candidates = (await candidatesOf(parts.store, oldest)).map(toRow);
  const advised = {
    id,
    source,
    ref,
    what: what === 'event' || what === 'team' || what === 'player' ? what : null,
    reason: oldest.code,
  };
  const isNearOne = candidates.length === 0 && match !== null && oldest.code !== 'refused';
  const near = isNearOne ? await findNearEvents(parts, match, sides) : [];
  const names = waitingNames(oldest);
  const entries = await entriesOf(parts, group, { source, names, sides, near });
  const read = messages === 1 ? [oldest] : await parts.identities.listWaiting({ group: id }, LOOKED_THROUGH);
  return {
    ...advised,
    text: oldest.reason,
    kinds,
    count: messages,
    first_at: firstAt,
    last_at: lastAt,
    league: leagueOf(oldest.message) ?? null,
    match,
    candidates,
    suggestion: suggestionOf(candidates),
    near: [...near.map(toRow), ...entries],
    names,
    extra: extraMembers(read.map(({ message }) => message)),
    advice: adviceOf(advised),
  };
}

interface Asked {
  readonly source: string;
  readonly names: readonly string[];
  readonly sides: NamedSides;
  readonly near: readonly EventDocument[];
}

/** The teams or players that a name may mean that nobody has. */
async function entriesOf(
  parts: RowParts,
  { oldest: { code, message } }: WaitingGroup,
  { source, names, sides, near }: Asked,
): Promise<readonly CandidateRow[]> {
  const sport = sportOf(message);
  const league = leagueOf(message);
  if (sport === undefined) return [];
  const found: CandidateRow[] = [];
  for (const name of names) {
    const entries =
      code === 'unknown_team' && league !== undefined
        ? await findNearTeams(parts, { sport, league, name, known: sides, near })
        : code === 'unknown_player'
          ? await findNearPlayers(parts, { sport, name, source, message, known: sides, near })
          : [];
    found.push(...entries.map((entry) => entryRow(entry, name)));
  }
  return found;
}

type Message = Partial<Pick<ScheduleMessage, 'sport' | 'league' | 'starts_at' | 'participants'>> & {
  match?: FeedMatch;
};

const sportOf = (message: unknown): string | undefined =>
  (message as Message).match?.sport ?? (message as Message).sport;

const leagueOf = (message: unknown): string | undefined =>
  (message as Message).match?.league ?? (message as Message).league;

/** The sides and the start that a message names, in the form of `match`. */
function matchOf(untyped: unknown): Readonly<Record<string, unknown>> | null {
  const message = untyped as Message;
  if (message.match) return message.match;
  const { sport, league, starts_at, participants } = message;
  if (sport === undefined || starts_at === undefined || participants === undefined) return null;
  const names = rolesOf(sport).map((role) => [role, participants.find((side) => side.role === role)?.name]);
  return { sport, league, starts_at, ...Object.fromEntries(names) };
}

const PROJECTIONS = { ambiguous: events.name, ambiguous_team: teams.name, ambiguous_player: players.name };

async function candidatesOf(
  store: NearParts['store'],
  { code, candidates }: WaitingGroup['oldest'],
): Promise<readonly (EventDocument | NamedEntry)[]> {
  if (code !== 'ambiguous' && code !== 'ambiguous_team' && code !== 'ambiguous_player') return [];
  const found = await store.getMany<any>(PROJECTIONS[code], candidates.map(String));
  return found.flatMap((stored) => (stored ? [stored.document] : []));
}

interface NamedEntry {
  readonly id: number;
  readonly facts: { readonly name?: string; readonly full_name?: string };
}

const entryRow = ({ id, name }: NearEntry, named: string | null): CandidateRow => ({
  event_id: null,
  entry_id: id,
  name,
  starts_at: null,
  minutes_apart: null,
  swapped: null,
  named,
});

function candidateRow(document: EventDocument | NamedEntry, startsAt: unknown, sides: NamedSides): CandidateRow {
  if (!('event' in document)) {
    const { name, full_name = '' } = document.facts;
    return entryRow({ id: document.id, name: name ?? full_name }, null);
  }
  const start = document.event.schedule?.starts_at ?? null;
  const apart = start === null || typeof startsAt !== 'string' ? null : Date.parse(start) - Date.parse(startsAt);
  return {
    event_id: document.id,
    entry_id: null,
    name: eventName(document),
    starts_at: start,
    minutes_apart: apart === null ? null : Math.round(Math.abs(apart) / MINUTE),
    swapped: isSwapped(
      sides,
      (document.sides ?? []).map(({ key }) => key),
    ),
    named: null,
  };
}

/** The event that starts nearest, if one does. */
function suggestionOf(candidates: readonly CandidateRow[]): number | null {
  const near = candidates
    .filter(({ minutes_apart }) => minutes_apart !== null)
    .toSorted((one, other) => one.minutes_apart! - other.minutes_apart!);
  const [first, second] = near;
  if (!first || (second && second.minutes_apart === first.minutes_apart)) return null;
  return first.event_id;
}
