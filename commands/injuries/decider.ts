import {
  CURRENT_VERSIONS,
  type DomainEvent,
  type DomainRecord,
  type InjuryOrigin,
  partitions,
} from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import type { InjuryContent } from '../../src/domain/injuries.ts';

interface PlayerReports {
  history: History<InjuryContent>;
  playerId: number | null;
}
/** What the write side knows of a team's injuries (stream `injuries-TEAMID`), by player: `n:name`, or `p9`. */
export type InjuriesState = Map<string, PlayerReports>;

export const initialInjuries = (): InjuriesState => new Map();

export interface InjuryFact {
  readonly teamId: number;
  readonly sport: string;
  /** Null while the directory does not know the player; `name` is the normalised one. */
  readonly playerId: number | null;
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
export function decideInjury(fact: InjuryFact, state: InjuriesState): DomainEvent[] {
  const { teamId, sport, playerId, name, at, source, content, origin } = fact;
  const meta = { partition: partitions.team(teamId) };
  const events: DomainEvent[] = [];
  const known = state.get(`n:${name}`);
  const another = known !== undefined && known.playerId !== null && playerId !== null && known.playerId !== playerId;
  const player = another ? `p${playerId}` : `n:${name}`;
  if (known && known.playerId === null && playerId !== null) {
    events.push({
      type: 'InjuredPlayerIdentified',
      version: CURRENT_VERSIONS.InjuredPlayerIdentified,
      data: { at, source, teamId, player, playerId },
      meta: { partition: partitions.team(teamId) },
    });
  }
  const placement = placeIn(state.get(player)?.history ?? [], { at, source, content });
  if (placement.kind === 'known') return events;
  if (placement.kind === 'repeated') {
    const data = { at, source, of: placement.of, teamId, sport, player };
    events.push({ type: 'InjuryReconfirmed', version: CURRENT_VERSIONS.InjuryReconfirmed, data, meta });
  } else {
    const data = { at, source, content, teamId, sport, player, playerId, origin };
    events.push({ type: 'InjuryReported', version: CURRENT_VERSIONS.InjuryReported, data, meta });
  }
  return events;
}

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveInjuries(state: InjuriesState, record: DomainRecord): InjuriesState {
  if (record.type === 'InjuryReported') {
    const reports = state.get(record.data.player) ?? { history: [], playerId: record.data.playerId };
    state.set(record.data.player, reports);
    addToHistory(reports.history, record.data, record.revision);
  } else if (record.type === 'InjuryReconfirmed') {
    const reports = state.get(record.data.player);
    if (reports) addRepetition(reports.history, record.data);
  } else if (record.type === 'InjuredPlayerIdentified') {
    const reports = state.get(record.data.player);
    if (reports) reports.playerId = record.data.playerId;
  }
  return state;
}
