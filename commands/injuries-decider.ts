import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind, type RecordOf } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  repeatNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import { timeOf } from '../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type Placement,
} from '../src/domain/observations/observation-history.ts';
import type { InjuryContent } from '../src/domain/sports-events/injury-reports.ts';
import { type InjuryOrigin, injuriesStream } from '../src/domain/streams/stream-definitions.ts';

/** A player of the directory, and from when the directory knows him. */
export interface KnownPlayer {
  readonly id: number;
  readonly at: string;
}

interface PlayerReports {
  newest: NewestObservation | undefined;
  /** Time of the earliest report. */
  first: string;
  identified: KnownPlayer | null;
}

/** The write-side state of a team's injuries (stream `injuries-TEAMID`), by player: `n:name`, or `p9`. */
type InjuriesState = Map<string, PlayerReports>;

/** The state with all reports of each player. */
interface InjuriesHistory {
  readonly players: InjuriesState;
  readonly reports: Map<string, ObservationHistory<InjuryContent>>;
}

type InjuriesEvent = EventOfKind<typeof injuriesStream>;

export interface InjuryCommand {
  readonly teamId: number;
  readonly sport: string;
  /** Null while the directory does not know the player. */
  readonly identified: KnownPlayer | null;
  readonly name: string;
  readonly at: string;
  readonly source: string;
  readonly content: InjuryContent;
  readonly origin: InjuryOrigin;
}

/**
 * The key of the player of a report. Reports are stored under the player's name, so that it does not matter whether the
 * directory knew the player before. A second player with the same name in the team is stored under his id.
 */
function playerOf({ identified, name }: InjuryCommand, state: InjuriesState): string {
  const known = state.get(`n:${name}`)?.identified;
  return known && identified && known.id !== identified.id ? `p${identified.id}` : `n:${name}`;
}

const earlierOf = (a: string, b: string): string => (timeOf(b) < timeOf(a) ? b : a);
const laterOf = (a: string, b: string): string => (timeOf(b) > timeOf(a) ? b : a);

/** The events for a report on one player. */
function decideReport(
  command: InjuryCommand,
  player: string,
  placement: Placement,
  state: InjuriesState,
): InjuriesEvent[] {
  const { teamId, sport, identified, at, source, content, origin } = command;
  const events: InjuriesEvent[] = [];
  if (placement.kind === 'reconfirmed' || placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, teamId, sport, player, origin };
    events.push(
      placement.kind === 'repeated'
        ? createEvent(injuriesStream, teamId, 'InjuryRepeated', data)
        : createEvent(injuriesStream, teamId, 'InjuryReconfirmed', data),
    );
  } else if (placement.kind !== 'duplicate') {
    const data = { at, source, content, teamId, sport, player, origin };
    events.push(createEvent(injuriesStream, teamId, 'InjuryReported', data));
  }
  if (!identified) return events;
  // The player is identified from the time when both the first report and the directory entry existed. Use the earliest
  // report, because reports that waited for the player arrive in any order.
  const known = state.get(player);
  const since = laterOf(identified.at, earlierOf(known?.first ?? at, at));
  // A known report changes nothing, even if the directory turns out to have known the player earlier.
  const identifiedBefore = known?.identified;
  if (
    identifiedBefore &&
    (placement.kind === 'duplicate' || placement.kind === 'repeated' || timeOf(identifiedBefore.at) <= timeOf(since))
  )
    return events;
  const data = { at: since, source, teamId, player, playerId: identified.id };
  events.push(createEvent(injuriesStream, teamId, 'InjuredPlayerIdentified', data));
  return events;
}

function decide(command: InjuryCommand, state: InjuriesState) {
  const player = playerOf(command, state);
  const placement = placeByNewest(state.get(player)?.newest, command);
  return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decideReport(command, player, placement, state);
}

function evolve(state: InjuriesState, record: RecordOf<InjuriesEvent>): InjuriesState {
  const reports = state.get(record.data.player);
  if (record.type === 'InjuryReported') {
    const newest = updateNewest(reports?.newest, record.data, record.revision);
    const first = earlierOf(reports?.first ?? record.data.at, record.data.at);
    state.set(record.data.player, { newest, first, identified: reports?.identified ?? null });
  } else if (record.type === 'InjuryReconfirmed') {
    if (reports) {
      reports.newest = reconfirmNewest(reports.newest, record.data);
      reports.first = earlierOf(reports.first, record.data.at);
    }
  } else if (record.type === 'InjuryRepeated') {
    if (reports) reports.newest = repeatNewest(reports.newest, record.data);
  } else if (record.type === 'InjuredPlayerIdentified') {
    if (reports) reports.identified = { id: record.data.playerId, at: record.data.at };
  }
  return state;
}

/** Decides on reports older than others of their player. */
const lateInjuriesDecider: Decider<InjuriesHistory, InjuryCommand, InjuriesEvent> = {
  initial: () => ({ players: new Map(), reports: new Map() }),
  decide(command, { players, reports }) {
    const player = playerOf(command, players);
    return decideReport(command, player, findPlacement(reports.get(player) ?? [], command), players);
  },
  evolve(state, record) {
    const { player } = record.data;
    const reports = state.reports.get(player) ?? [];
    state.reports.set(player, reports);
    if (record.type === 'InjuryReported') addToHistory(reports, record.data, record.revision);
    else if (record.type !== 'InjuredPlayerIdentified') addReconfirmation(reports, record.data);
    evolve(state.players, record);
    return state;
  },
};

export const injuriesDecider: StreamDecider<InjuriesState, InjuryCommand, InjuriesEvent> = {
  stream: injuriesStream,
  initial: () => new Map(),
  decide,
  evolve,
  lastReportedAt: (command, state) => lastReportedAtBy(state.get(playerOf(command, state))?.newest, command),
  history: lateInjuriesDecider,
  stateVersion: 4,
};
