import type { StreamDecider } from '../../src/domain/decider.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import type { InjuryContent } from '../../src/domain/injuries.ts';
import { timeOf } from '../../src/domain/observation.ts';
import { type InjuryOrigin, injuriesStream } from '../../src/domain/streams/injuries-stream.ts';
import { type EventOfKind, happened, type RecordOf } from '../../src/domain/streams/stream-kind.ts';

/** A player of the directory, and since when it knows of him. */
export interface KnownPlayer {
  readonly id: number;
  readonly at: string;
}

interface PlayerReports {
  history: History<InjuryContent>;
  identified: KnownPlayer | null;
}

/** What the write side knows of a team's injuries (stream `injuries-TEAMID`), by player: `n:name`, or `p9`. */
export type InjuriesState = Map<string, PlayerReports>;

type InjuriesEvent = EventOfKind<typeof injuriesStream>;

export interface InjuryFact {
  readonly teamId: number;
  readonly sport: string;
  /** Null while the directory does not know the player. `name` is the normalised one. */
  readonly identified: KnownPlayer | null;
  readonly name: string;
  readonly at: string;
  readonly source: string;
  readonly content: InjuryContent;
  readonly origin: InjuryOrigin;
}

/**
 * A report of one player's availability. Reports stand under the player's name, so that it does not matter whether
 * the directory knew the player before or after them; a second player of that name in the team stands under its id.
 */
function decide(fact: InjuryFact, state: InjuriesState): InjuriesEvent[] {
  const { teamId, sport, identified, name, at, source, content, origin } = fact;
  const events: InjuriesEvent[] = [];
  const known = state.get(`n:${name}`)?.identified;
  const player = known && identified && known.id !== identified.id ? `p${identified.id}` : `n:${name}`;
  const reports = state.get(player);
  const placement = placeIn(reports?.history ?? [], { at, source, content });
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, teamId, sport, player };
    events.push(happened(injuriesStream, teamId, 'InjuryReconfirmed', data));
  } else if (placement.kind !== 'known') {
    const data = { at, source, content, teamId, sport, player, origin };
    events.push(happened(injuriesStream, teamId, 'InjuryReported', data));
  }
  if (!identified) return events;
  // Nobody could say who it is before both were known: the report, and the player.
  const since = timeOf(identified.at) > timeOf(at) ? identified.at : at;
  // A report that is known says nothing new, also where the player turns out to have been known earlier.
  const told = reports?.identified;
  if (told && (placement.kind === 'known' || timeOf(told.at) <= timeOf(since))) return events;
  const data = { at: since, source, teamId, player, playerId: identified.id };
  events.push(happened(injuriesStream, teamId, 'InjuredPlayerIdentified', data));
  return events;
}

function evolve(state: InjuriesState, record: RecordOf<InjuriesEvent>): InjuriesState {
  if (record.type === 'InjuryReported') {
    const reports = state.get(record.data.player) ?? { history: [], identified: null };
    state.set(record.data.player, reports);
    addToHistory(reports.history, record.data, record.revision);
  } else if (record.type === 'InjuryReconfirmed') {
    const reports = state.get(record.data.player);
    if (reports) addRepetition(reports.history, record.data);
  } else if (record.type === 'InjuredPlayerIdentified') {
    const reports = state.get(record.data.player);
    if (reports) reports.identified = { id: record.data.playerId, at: record.data.at };
  }
  return state;
}

export const injuriesDecider: StreamDecider<InjuriesState, InjuryFact, InjuriesEvent> = {
  stream: injuriesStream,
  initial: () => new Map(),
  decide,
  evolve,
};
