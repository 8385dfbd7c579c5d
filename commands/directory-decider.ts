import {
  applyPlayer,
  applyTeam,
  type DirectoryRank,
  type Player,
  type PlayerContent,
  playerProfile,
  type Team,
  type TeamContent,
  teamProfile,
} from '../src/domain/directory/directory-entries.ts';
import type { StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind, type RecordOf } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  calledOf,
  compareHistoryEntries,
  findInsertIndex,
  type HistoryEntry,
  type Observation,
} from '../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  findPlacement,
  type ObservationHistory,
  type SourceReport,
  toHistoryEntry,
} from '../src/domain/observations/observation-history.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import { type Profile, sameProfile } from '../src/domain/sports-events/sports-event.ts';
import { playerStream, teamStream } from '../src/domain/streams/stream-definitions.ts';

/** The profile that events show for an entry from the time `at` on. */
export interface ProfileFrom {
  readonly rank: DirectoryRank;
  readonly at: string;
  readonly profile: Profile;
}

/** The reports on one team (stream `team-ID`) or player (`player-ID`), sorted by `at`. */
interface DirectoryEntryState<Content extends object, Doc> {
  mention: HistoryEntry<Content> | null;
  history: ObservationHistory<Content>;
  current: Doc | undefined;
  /** Undefined before the first report. */
  sport: string | undefined;
  /** The profiles over time; each differs from the one before. Replaced by a new array on any change. */
  standings: readonly ProfileFrom[];
}
type TeamState = DirectoryEntryState<TeamContent, Team>;
type PlayerState = DirectoryEntryState<PlayerContent, Player>;

type TeamEvent = EventOfKind<typeof teamStream>;
type PlayerEvent = EventOfKind<typeof playerStream>;

const initial = () => ({ mention: null, history: [], current: undefined, sport: undefined, standings: [] });

export interface DirectoryCommand<Content> {
  readonly id: number;
  readonly sport: string;
  readonly ref?: string;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

type Apply<Content, Doc> = (doc: Doc | undefined, report: Observation<Content, Doc>) => Doc;

/** The earliest mention comes before all descriptions, whatever their times. */
function foldEntry<Content extends { rank: DirectoryRank }, Doc>(
  mention: HistoryEntry<Content> | null,
  history: ObservationHistory<Content>,
  apply: Apply<Content, Doc>,
): Doc | undefined {
  const entries = mention ? [mention, ...history] : history;
  return entries.reduce<Doc | undefined>(
    (doc, { at, source, content }) => apply(doc, { at: formatTime(at), source, content }),
    undefined,
  );
}

type EntryDecision<Doc> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reconfirmed' | 'repeated'; readonly of: number }
  | { readonly kind: 'changed'; readonly late?: Doc };

function decideEntry<Content extends { rank: DirectoryRank }, Doc>(
  report: SourceReport<Content>,
  state: DirectoryEntryState<Content, Doc>,
  apply: Apply<Content, Doc>,
): EntryDecision<Doc> {
  if (report.content.rank === 'named') {
    const entry = toHistoryEntry(report, -1);
    if (state.mention && compareHistoryEntries(state.mention, entry) <= 0) return { kind: 'nothing' };
    const isFirst = !state.mention && state.history.length === 0;
    return isFirst ? { kind: 'changed' } : { kind: 'changed', late: foldEntry(entry, state.history, apply)! };
  }
  const placement = findPlacement(state.history, report);
  if (placement.kind === 'duplicate') return { kind: 'nothing' };
  if (placement.kind === 'reconfirmed' || placement.kind === 'repeated') return placement;
  if (placement.kind === 'newest') return { kind: 'changed' };
  return { kind: 'changed', late: foldEntry(state.mention, placement.late, apply)! };
}

function decideTeam(command: DirectoryCommand<TeamContent>, state: TeamState): TeamEvent[] {
  const { id: teamId, sport, at, source, content } = command;
  const decision = decideEntry(command, state, applyTeam);
  if (decision.kind === 'nothing') return [];
  if (decision.kind !== 'changed') {
    const data = { at, source, of: decision.of, teamId, ...refOf(command) };
    return [createEvent(teamStream, teamId, decision.kind === 'repeated' ? 'TeamRepeated' : 'TeamReconfirmed', data)];
  }
  const data = { at, source, content, ...lateOf(decision), teamId, sport, ...refOf(command) };
  return [createEvent(teamStream, teamId, 'TeamChanged', data)];
}

function decidePlayer(command: DirectoryCommand<PlayerContent>, state: PlayerState): PlayerEvent[] {
  const { id: playerId, sport, at, source, content } = command;
  const decision = decideEntry(command, state, applyPlayer);
  if (decision.kind === 'nothing') return [];
  if (decision.kind !== 'changed') {
    const data = { at, source, of: decision.of, playerId, ...refOf(command) };
    const type = decision.kind === 'repeated' ? 'PlayerRepeated' : 'PlayerReconfirmed';
    return [createEvent(playerStream, playerId, type, data)];
  }
  const data = { at, source, content, ...lateOf(decision), playerId, sport, ...refOf(command) };
  return [createEvent(playerStream, playerId, 'PlayerChanged', data)];
}

const refOf = ({ ref }: DirectoryCommand<unknown>): { ref?: string } => (ref === undefined ? {} : { ref });
const lateOf = <Doc>({ late }: { late?: Doc }): { late?: Doc } => (late === undefined ? {} : { late });

function evolveTeam(state: TeamState, record: RecordOf<TeamEvent>): TeamState {
  if (record.type === 'TeamChanged') return evolveEntry(state, record.data, record.revision, applyTeam, teamProfile);
  if (record.type === 'TeamReconfirmed' || record.type === 'TeamRepeated')
    addReconfirmation(state.history, record.data);
  return state;
}

function evolvePlayer(state: PlayerState, record: RecordOf<PlayerEvent>): PlayerState {
  if (record.type === 'PlayerChanged')
    return evolveEntry(state, record.data, record.revision, applyPlayer, playerProfile);
  if (record.type === 'PlayerReconfirmed' || record.type === 'PlayerRepeated')
    addReconfirmation(state.history, record.data);
  return state;
}

function evolveEntry<Content extends { rank: DirectoryRank }, Doc>(
  state: DirectoryEntryState<Content, Doc>,
  report: SourceReport<Content> & { readonly sport: string },
  revision: number,
  apply: Apply<Content, Doc>,
  profileOf: (doc: Doc) => Profile,
): DirectoryEntryState<Content, Doc> {
  const entry = toHistoryEntry(report, revision);
  if (report.content.rank === 'named') state.mention = entry;
  else state.history.splice(findInsertIndex(state.history, entry), 0, entry);
  state.sport = report.sport;
  state.current = foldEntry(state.mention, state.history, apply);
  state.standings = profilesOverTime(state.mention, state.history, apply, profileOf);
  return state;
}

/** For the same source and ref only: a repetition from another one brings that one's id of the entry. */
function lastReportedAt(
  { source, ref }: DirectoryCommand<unknown>,
  { history }: DirectoryEntryState<any, unknown>,
): number | undefined {
  const last = history.at(-1);
  return last?.source === source && last.called === calledOf({ ref }) ? last.at : undefined;
}

export const teamDecider: StreamDecider<TeamState, DirectoryCommand<TeamContent>, TeamEvent> = {
  stream: teamStream,
  initial,
  decide: decideTeam,
  evolve: evolveTeam,
  affectsOtherStreams: true,
  lastReportedAt,
};

export const playerDecider: StreamDecider<PlayerState, DirectoryCommand<PlayerContent>, PlayerEvent> = {
  stream: playerStream,
  initial,
  decide: decidePlayer,
  evolve: evolvePlayer,
  affectsOtherStreams: true,
  lastReportedAt,
};

/** The profiles over time: descriptions count from their own time, on top of the mention once there is one. */
function profilesOverTime<Content extends { rank: DirectoryRank }, Doc>(
  mention: HistoryEntry<Content> | null,
  history: ObservationHistory<Content>,
  apply: Apply<Content, Doc>,
  profileOf: (doc: Doc) => Profile,
): ProfileFrom[] {
  const fold = (doc: Doc | undefined, { at, source, content }: HistoryEntry<Content>) =>
    apply(doc, { at: formatTime(at), source, content });
  const times = new Set([...(mention ? [mention.at] : []), ...history.map(({ at }) => at)]);
  let withoutMention: Doc | undefined;
  let withMention = mention ? fold(undefined, mention) : undefined;
  let next = 0;
  const profiles: ProfileFrom[] = [];
  for (const time of [...times].sort((a, b) => a - b)) {
    for (; history[next]?.at === time; next++) {
      withoutMention = fold(withoutMention, history[next]!);
      withMention = withMention && fold(withMention, history[next]!);
    }
    const profile = profileOf((mention && mention.at <= time ? withMention : withoutMention)!);
    const last = profiles.at(-1);
    if (!last || !sameProfile(last.profile, profile))
      profiles.push({ rank: next > 0 ? 'described' : 'named', at: formatTime(time), profile });
  }
  return profiles;
}

/** The earliest time of any report on the entry. */
export function firstKnownAt<Content extends object, Doc>({
  mention,
  history,
}: DirectoryEntryState<Content, Doc>): string {
  const times = [mention, history[0]].flatMap((entry) => (entry ? [entry.at] : []));
  return formatTime(times.length > 0 ? Math.min(...times) : 0);
}
