import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { type KnowledgeTimes, updateKnowledgeTimes } from '../../src/domain/observations/knowledge-times.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { deleteOwn } from '../../src/domain/primitives/own-properties.ts';
import type { DomainRecord } from '../../src/domain/streams/domain-events.ts';
import { type PlayerDocument, playerNameKeysOf, players } from './players.ts';

/** The data by which a player is found in a team. */
interface RosterRow extends KnowledgeTimes {
  readonly full_name: string;
  /** His current team: the tables of former teams keep the row. */
  readonly team_id: number | null;
  /** Keys from `playerRefKey`. */
  readonly refs: readonly string[];
  /** Keys from `playerNameKey`. */
  readonly names: readonly string[];
}

/** A player with his roster tables. */
interface RosterEntry {
  player: PlayerDocument;
  row: RosterRow | null;
  /** The newest time of any report on him, in milliseconds. */
  newestAt: number;
  tables: string[];
  /** Position of the last record that changed the row. */
  rowAt: string;
}

/** Rows by player id. */
export interface Roster {
  rows: Record<string, RosterRow>;
}

export const rosterKey = (teamId: number): string => `team:${teamId}`;

/** The players of each team: a box score needs all players of a team at once. */
export const rosters: Projection<RosterEntry> = {
  name: 'rosters',
  version: 1,
  types: players.types,
  key: players.key,
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: `Player${string}` }>;
    const player = players.apply(document?.player, record);
    const { row = null, newestAt = 0, tables = [], rowAt = '' } = document ?? {};
    const time = timeOf(record.data.at);
    const newest = Math.max(newestAt, time);
    const next: RosterEntry = { player, row, newestAt: newest, tables, rowAt };
    const { full_name, team_id = null } = player.facts;
    if (team_id === null && !row) return next;
    const facts = { full_name, team_id, refs: player.refs, names: playerNameKeysOf(player) };
    const isSame = row !== null && JSON.stringify(facts) === JSON.stringify(factsOf(row));
    const isLate = time < newestAt;
    if (isSame && !isLate) return next;
    const from = Math.min(row?.observed[0] ?? time, time);
    const now = Date.parse(record.recordedAt);
    next.row = { ...facts, ...updateKnowledgeTimes(row, { now, from, newest, isSame, isLate }) };
    next.rowAt = String(record.position);
    if (team_id !== null) next.tables = [...new Set([...tables, rosterKey(team_id)])];
    return next;
  },
  needsWholeLog: true,
  tables: {
    rowsOf: ({ row, tables, rowAt }: RosterEntry, position) =>
      row && rowAt === String(position) ? tables.map((table) => [table, row] as const) : undefined,
    put(table: Roster | undefined, _tableKey, key, row): Roster {
      const next = table ?? { rows: {} };
      next.rows[key] = row as RosterRow;
      return next;
    },
    remove: (table: Roster, key) => (deleteOwn(table.rows, key) ? table : undefined),
  },
  fields: {},
  indexes: [],
  streams: players.streams!,
};

const factsOf = ({ full_name, team_id, refs, names }: RosterRow) => ({ full_name, team_id, refs, names });
