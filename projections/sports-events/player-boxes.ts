import { playsLike } from '../../src/domain/catalogue/added-leagues.ts';
import { playerNameKey, playerRefKey } from '../../src/domain/directory/player-finder.ts';
import { boxRows, teamIdsOf } from '../../src/domain/event-players.ts';
import type { Projection, TableRow } from '../../src/domain/event-sourcing/projection.ts';
import { isFinalBox } from '../../src/domain/grading/player-stat.ts';
import { type KnowledgeTimes, updateKnowledgeTimes } from '../../src/domain/observations/knowledge-times.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { normalizeName } from '../../src/domain/primitives/name-normalization.ts';
import { deleteOwn } from '../../src/domain/primitives/own-properties.ts';
import { applySides, type EventSides, newSides } from '../../src/domain/side-profiles.ts';
import { newSportsEvent, type SportsEvent } from '../../src/domain/sports-events/sports-event.ts';
import { addBoxReport, type BoxReports, currentBox, reconfirmBox } from '../../src/domain/statistics/box-score.ts';
import { packFields, packStats, type StatFields, unpackFields } from '../../src/domain/statistics/packed-stats.ts';
import { statNamesInBox } from '../../src/domain/statistics/stat-values.ts';
import { type BoxContent, type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { applyEventRecord, eventIdentityOf } from './event-documents.ts';

/** The statistics of one player in one game. */
export interface PastPlayer {
  /** 0: home, 1: the other side. */
  readonly side: 0 | 1;
  readonly name: string;
  /** The id of the player at the source of the box. */
  readonly ref: string;
  /** Values for the fields of the row, from `packStats`; absent if he did not play. */
  readonly stats?: readonly number[];
}

/** A finished game, with the players of its box who have a given name or id. */
export interface PastBoxRow extends KnowledgeTimes {
  /** False: the game was finished once, but no longer is. */
  readonly counts: boolean;
  /** Milliseconds. */
  readonly startsAt: number;
  /** Team ids of home and the other side; null for a team outside the directory. */
  readonly teamIds: readonly [number | null, number | null];
  /** The source of the players' refs. */
  readonly source: string;
  /** The statistics of the box. */
  readonly fields: StatFields;
  readonly players: readonly PastPlayer[];
}

/** The data of a sports event and its box that the history of its players needs. */
export interface PlayerBoxDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  /** Its schedule and status only. */
  event: SportsEvent;
  /** When the server first recorded the event: milliseconds. */
  heardAt: number;
  /** Reports on the players, without the statistics of the sides. */
  told: BoxReports;
  /** The earliest times of a final status, and of a box: milliseconds. */
  first: { end: number | null; box: number | null };
  /** The newest time of any report: milliseconds. */
  newestAt: number;
  /** The row in the tables; null while the game was never finished. */
  row: PastBoxRow | null;
  /** The tables that have the row, or had it once. */
  tables: string[];
  /** Position of the last record that changed the row. */
  rowAt: string;
}

/** The games of one month (UTC, by start) of all players with one name, or with one id. */
export interface PastBoxTable {
  /** From `refEntry` or `nameEntry`. */
  entry: string;
  /** By event id. */
  rows: Record<string, PastBoxRow>;
}

/** The entry of tables for a player's id at a source. @param key from `playerRefKey` */
export const refEntry = (key: string): string => `ref ${key}`;
/** The entry of tables for a name. @param key from `playerNameKey` */
export const nameEntry = (key: string): string => `name ${key}`;

/** The sports with player forecasts. */
const SPORTS: ReadonlySet<string> = new Set(['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl']);

/**
 * Player statistics of finished games, and tables of each player's past games. Tables are by month, so that each stays
 * small in long careers. They are by name and by id: the directory decides at read time to whom a row belongs.
 */
export const playerBoxes: Projection<PlayerBoxDocument> = {
  name: 'player-boxes',
  version: 2,
  types: ['EventScheduled', 'ScoreChanged', 'BoxChanged', 'BoxReconfirmed'],
  // Needs scores during a game too: whether a final status is accepted depends on the sources of the status before it.
  key: ({ data }) => (SPORTS.has(playsLike((data as { sport: string }).sport)) ? String(data.eventId) : undefined),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    applyRecord(next, record);
    applySides(next, record);
    updateRow(next, record);
    return next;
  },
  needsWholeLog: true,
  tables: {
    rowsOf({ sport, row, tables, rowAt }: PlayerBoxDocument, position) {
      if (!row || rowAt !== String(position)) return undefined;
      const players = playersByEntry(row, { sport });
      return tables.map((table): TableRow => [table, { ...row, players: players.get(entryOf(table)) ?? [] }]);
    },
    put(table: PastBoxTable | undefined, tableKey, key, row): PastBoxTable {
      const next = table ?? { entry: entryOf(tableKey), rows: {} };
      next.rows[key] = row as PastBoxRow;
      return next;
    },
    remove: (table: PastBoxTable, key) => (deleteOwn(table.rows, key) ? table : undefined),
  },
  fields: { entry: { kind: 'string', of: (document) => (document as Partial<PastBoxTable>).entry ?? null } },
  indexes: [['entry']],
  streams: (key) => [streams.event(key), streams.box(key)],
};

function newDocument(record: DomainRecord): PlayerBoxDocument {
  return {
    ...eventIdentityOf(record),
    event: newSportsEvent(),
    ...newSides(),
    heardAt: Date.parse(record.recordedAt),
    told: [],
    first: { end: null, box: null },
    newestAt: 0,
    row: null,
    tables: [],
    rowAt: '',
  };
}

function applyRecord(next: PlayerBoxDocument, record: DomainRecord): void {
  const { first } = next;
  const time = timeOf((record.data as { at: string }).at);
  next.newestAt = Math.max(next.newestAt, time);
  switch (record.type) {
    case 'EventScheduled':
    case 'ScoreChanged': {
      next.event = scheduleAndStatus(applyEventRecord(next.event, record));
      if (record.data.content.status === 'final') first.end = Math.min(first.end ?? time, time);
      break;
    }
    case 'BoxChanged': {
      const { at, source, content } = record.data;
      next.told = addBoxReport(next.told, { at, source, content: withoutTeams(content) });
      first.box = Math.min(first.box ?? time, time);
      break;
    }
    case 'BoxReconfirmed':
      next.told = reconfirmBox(next.told, record.data);
      break;
  }
}

/** A new object: a late record brings the whole state, which later records change. */
const scheduleAndStatus = ({ schedule, status, statusSources }: SportsEvent): SportsEvent => ({
  ...newSportsEvent(),
  schedule,
  status,
  statusSources: [...statusSources],
});

const withoutTeams = ({ final, players }: BoxContent): BoxContent => ({
  ...(final === undefined ? {} : { final }),
  ...(players === undefined ? {} : { players }),
});

/** Updates the row. */
function updateRow(next: PlayerBoxDocument, { data, recordedAt, position }: DomainRecord): void {
  const finished = finishedBox(next);
  const { row, first } = next;
  if (!finished && !row) return;
  const before = row && withoutTimes(row);
  const content = finished ? { ...finished, counts: true } : { ...before!, counts: false };
  const isSame = JSON.stringify(content) === JSON.stringify(before);
  const isLate = timeOf((data as { at: string }).at) < next.newestAt;
  if (isSame && !isLate) return;
  const from = Math.max(first.end!, first.box!);
  const times = updateKnowledgeTimes(row, { now: Date.parse(recordedAt), from, newest: next.newestAt, isSame, isLate });
  next.row = { ...content, ...times };
  next.rowAt = String(position);
  const month = new Date(next.row.startsAt).toISOString().slice(0, MONTH);
  const tables = [...playersByEntry(next.row, next).keys()].map((entry) => `${entry} ${month}`);
  next.tables = [...new Set([...next.tables, ...tables])];
}

function withoutTimes({ startsAt, teamIds, source, fields, players, counts }: PastBoxRow) {
  return { startsAt, teamIds, source, fields, players, counts };
}

type FinishedBox = Omit<PastBoxRow, keyof KnowledgeTimes | 'counts'>;

/** The row of a finished game; null if it is not over, or in a preseason. */
function finishedBox(document: PlayerBoxDocument): FinishedBox | null {
  const { sport, event, sides } = document;
  const box = currentBox(document.told);
  if (event.status !== 'final' || !event.schedule || !box || box.players.length === 0) return null;
  if (event.schedule.season?.phase === 'preseason' || !isFinalBox(document, box)) return null;
  const fields = packFields(sport, statNamesInBox(box.players));
  const names = unpackFields(sport, fields);
  return {
    startsAt: timeOf(event.schedule.starts_at),
    teamIds: teamIdsOf(sides),
    source: box.playersSource!,
    fields,
    players: boxRows(box).map(({ row: { name, ref, dnp, stats }, side }) => ({
      side,
      name,
      ref,
      ...(dnp ? {} : { stats: packStats(names, stats) }),
    })),
  };
}

const MONTH = '2026-01'.length;
const entryOf = (table: string): string => table.slice(0, -MONTH - 1);

/** The players of a box by name and id. */
export function playersByEntry(
  { source, players }: Pick<PastBoxRow, 'source' | 'players'>,
  { sport }: { readonly sport: string },
): Map<string, PastPlayer[]> {
  const byEntry = new Map<string, PastPlayer[]>();
  const add = (entry: string, player: PastPlayer) => byEntry.set(entry, [...(byEntry.get(entry) ?? []), player]);
  for (const player of players) {
    add(nameEntry(playerNameKey(sport, normalizeName(player.name))), player);
    add(refEntry(playerRefKey(sport, source, player.ref)), player);
  }
  return byEntry;
}
