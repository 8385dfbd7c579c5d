import {
  applyPlayer,
  applyTeam,
  type DirectoryRank,
  type Player,
  type PlayerContent,
  type Team,
  type TeamContent,
} from '../../src/domain/directory.ts';
import { CURRENT_VERSIONS, type DomainEvent, type DomainRecord, partitions } from '../../src/domain/domain-events.ts';
import { addRepetition, entryOf, type History, placeIn, type Said } from '../../src/domain/history.ts';
import { compareEntries, type Entry, type Observation, placeOf } from '../../src/domain/observation.ts';
import { formatTime } from '../../src/domain/time.ts';

/** What was said of one team (stream `team-ID`) or player (`player-ID`), in the order of `at`. */
export interface EntryState<Content extends object, Doc> {
  named: Entry<Content> | null;
  history: History<Content>;
  current: Doc | undefined;
}
export type TeamState = EntryState<TeamContent, Team>;
export type PlayerState = EntryState<PlayerContent, Player>;

export const initialTeam = (): TeamState => ({ named: null, history: [], current: undefined });
export const initialPlayer = (): PlayerState => ({ named: null, history: [], current: undefined });

export interface DirectoryFact<Content> {
  readonly id: number;
  readonly sport: string;
  readonly ref?: string;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

type Apply<Content, Doc> = (doc: Doc | undefined, said: Observation<Content>) => Doc;

/** The earliest naming stands below every description, whenever each was said. */
function foldEntry<Content extends { rank: DirectoryRank }, Doc>(
  named: Entry<Content> | null,
  history: History<Content>,
  apply: Apply<Content, Doc>,
): Doc | undefined {
  const entries = named ? [named, ...history] : history;
  return entries.reduce<Doc | undefined>(
    (doc, { at, source, content }) => apply(doc, { at: formatTime(at), source, content }),
    undefined,
  );
}

type Decision<Doc> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'repeated'; readonly of: number }
  | { readonly kind: 'changed'; readonly late?: Doc };

function decideEntry<Content extends { rank: DirectoryRank }, Doc>(
  said: Said<Content>,
  state: EntryState<Content, Doc>,
  apply: Apply<Content, Doc>,
): Decision<Doc> {
  if (said.content.rank === 'named') {
    const entry = entryOf(said, -1);
    if (state.named && compareEntries(state.named, entry) <= 0) return { kind: 'nothing' };
    const first = !state.named && state.history.length === 0;
    return first ? { kind: 'changed' } : { kind: 'changed', late: foldEntry(entry, state.history, apply)! };
  }
  const placement = placeIn(state.history, said);
  if (placement.kind === 'known') return { kind: 'nothing' };
  if (placement.kind === 'repeated') return { kind: 'repeated', of: placement.of };
  if (placement.kind === 'newest') return { kind: 'changed' };
  return { kind: 'changed', late: foldEntry(state.named, placement.entries, apply)! };
}

export function decideTeam(fact: DirectoryFact<TeamContent>, state: TeamState): DomainEvent[] {
  const { id: teamId, sport, ref, at, source, content } = fact;
  const decision = decideEntry(fact, state, applyTeam);
  const meta = { partition: partitions.team(teamId) };
  if (decision.kind === 'nothing') return [];
  if (decision.kind === 'repeated') {
    const data = { at, source, of: decision.of, teamId };
    return [{ type: 'TeamReconfirmed', version: CURRENT_VERSIONS.TeamReconfirmed, data, meta }];
  }
  const data = { at, source, content, ...lateOf(decision), teamId, sport, ...(ref === undefined ? {} : { ref }) };
  return [{ type: 'TeamChanged', version: CURRENT_VERSIONS.TeamChanged, data, meta }];
}

export function decidePlayer(fact: DirectoryFact<PlayerContent>, state: PlayerState): DomainEvent[] {
  const { id: playerId, sport, ref, at, source, content } = fact;
  const decision = decideEntry(fact, state, applyPlayer);
  const meta = { partition: partitions.player(playerId) };
  if (decision.kind === 'nothing') return [];
  if (decision.kind === 'repeated') {
    const data = { at, source, of: decision.of, playerId };
    return [{ type: 'PlayerReconfirmed', version: CURRENT_VERSIONS.PlayerReconfirmed, data, meta }];
  }
  const data = { at, source, content, ...lateOf(decision), playerId, sport, ...(ref === undefined ? {} : { ref }) };
  return [{ type: 'PlayerChanged', version: CURRENT_VERSIONS.PlayerChanged, data, meta }];
}

const lateOf = <Doc>({ late }: { late?: Doc }): { late?: Doc } => (late === undefined ? {} : { late });

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveTeam(state: TeamState, record: DomainRecord): TeamState {
  if (record.type === 'TeamChanged') return evolveEntry(state, record.data, record.revision, applyTeam);
  if (record.type === 'TeamReconfirmed') addRepetition(state.history, record.data);
  return state;
}

export function evolvePlayer(state: PlayerState, record: DomainRecord): PlayerState {
  if (record.type === 'PlayerChanged') return evolveEntry(state, record.data, record.revision, applyPlayer);
  if (record.type === 'PlayerReconfirmed') addRepetition(state.history, record.data);
  return state;
}

function evolveEntry<Content extends { rank: DirectoryRank }, Doc>(
  state: EntryState<Content, Doc>,
  said: Said<Content>,
  revision: number,
  apply: Apply<Content, Doc>,
): EntryState<Content, Doc> {
  const entry = entryOf(said, revision);
  if (said.content.rank === 'named') state.named = entry;
  else state.history.splice(placeOf(state.history, entry), 0, entry);
  state.current = foldEntry(state.named, state.history, apply);
  return state;
}

/** What describes the entry now, for the events that it stands in: its rank and the time of what decided it. */
export function standing<Content extends object, Doc>(
  state: EntryState<Content, Doc>,
): { rank: DirectoryRank; at: string } {
  const newest = state.history.at(-1);
  if (newest) return { rank: 'described', at: formatTime(newest.at) };
  return { rank: 'named', at: formatTime(state.named?.at ?? 0) };
}

/** The earliest time of which anything was said of the entry. */
export function knownSince<Content extends object, Doc>({ named, history }: EntryState<Content, Doc>): string {
  const times = [named, history[0]].flatMap((entry) => (entry ? [entry.at] : []));
  return formatTime(times.length > 0 ? Math.min(...times) : 0);
}
