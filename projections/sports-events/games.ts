import { isDeepStrictEqual } from 'node:util';
import { rulesOf } from '../../src/domain/catalogue/sport-rules.ts';
import type { Projection, TableRow } from '../../src/domain/event-sourcing/projection.ts';
import { updateKnowledgeTimes } from '../../src/domain/observations/knowledge-times.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { deleteOwn } from '../../src/domain/primitives/own-properties.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  newSportsEvent,
  type SportsEvent,
} from '../../src/domain/sports-events/sports-event.ts';
import {
  type AveragedReports,
  addAveragedReport,
  NO_AVERAGED_SIDES,
  reconfirmAveraged,
  serializeAveragedSides,
} from '../../src/domain/statistics/averaged-box.ts';
import { countGame, type SideKeys, trimEvent, trimSchedule } from '../../src/domain/statistics/counted-game.ts';
import {
  appendBoxToRow,
  type PackedGame,
  type PackedKnowledgeTimes,
  packGame,
  packKnowledgeTimes,
  parseGameRow,
  serializeGameRow,
  unpackKnowledgeTimes,
} from '../../src/domain/statistics/game-row.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';
import { eventIdentityOf } from './event-documents.ts';

/** The data of a sports event that statistics need, and nothing else: there are as many documents as events. */
export interface GameDocument {
  readonly id: number;
  readonly sport: string;
  readonly league: string;
  event: SportsEvent;
  sides: SideKeys | null;
  /** The reports on the statistics of both sides. */
  boxes: AveragedReports;
  /** Since when these are known; null without any. */
  box: PackedKnowledgeTimes | null;
  /** The earliest `at` of a final status, and when the first such message was recorded; milliseconds. */
  endedAt: number | null;
  endRecordedAt: number | null;
  /** The newest time of any report on the event, and on its box; milliseconds. */
  newest: number;
  newestBox: number;
  /** The row in the tables, see `serializeGameRow`; null while the game has never counted. */
  row: string | null;
  /** The tables with the row: of its season, of both sides, of the pair. */
  tables: GameTableKeys | null;
  /** Tables that have the row from earlier, but would not get it now. */
  left: readonly string[];
  /** Position of the last record that changed the row, and of the last that changed row or box; null before. */
  rowAt: string | null;
  changedAt: string | null;
}
type GameTableKeys = readonly [season: string, first: string, second: string, pair: string];

/** Game rows by event id: see `parseGameRows`. */
export interface GameTable {
  /** Set for tables of one team or player in one calendar year (UTC) of starts, to find earlier years. */
  entry?: string;
  year?: number;
  rows: Record<string, string>;
}

/** The table with all games of a season of a league. */
export const seasonTable = (seasonId: number): string => `season:${seasonId}`;
/** The table with the games of a team or player that started in a calendar year (UTC), in any league. */
export const yearTable = (entry: string, year: number): string => `${entry}:${year}`;
/** The table with the games of two teams or players against each other. */
export const pairTable = (kind: 'team' | 'player', [a, b]: readonly [number, number]): string =>
  `${kind}s:${Math.min(a, b)}:${Math.max(a, b)}`;
/** The name of a team or player in table keys. */
export const tableEntry = (kind: 'team' | 'player', id: number): string => `${kind}:${id}`;

const YEAR_TABLE = /^((?:team|player):\d+):(\d+)$/;

/**
 * The games that count, and tables of their rows for statistics: by season, by side, by pair of sides. Only tables of
 * one side include the box statistics.
 */
export const games: Projection<GameDocument> = {
  name: 'games',
  version: 3,
  types: ['EventScheduled', 'ScoreChanged', 'BoxChanged', 'BoxReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? newDocument(record);
    const { boxes } = next;
    const isChanged =
      applyRecord(next, record) === 'box' ? updateBoxTimes(next, record, boxes) : updateGameRow(next, record);
    if (isChanged) next.changedAt = String(record.position);
    return next;
  },
  needsWholeLog: true,
  tables: {
    rowsOf({ row, tables, left, boxes, box, rowAt, changedAt }: GameDocument, position) {
      if (row === null || tables === null) return undefined;
      const at = String(position);
      if (changedAt !== at && rowAt !== at) return undefined;
      const rows: TableRow[] = [];
      const [season, first, second, pair] = tables;
      if (rowAt === at) {
        rows.push([season, row], [pair, row]);
        for (const table of left) if (!YEAR_TABLE.test(table)) rows.push([table, row]);
      }
      if (changedAt === at) {
        const rowWithBox = box ? appendBoxToRow(row, serializeAveragedSides(boxes), box) : row;
        rows.push([first, rowWithBox], [second, rowWithBox]);
        for (const table of left) if (YEAR_TABLE.test(table)) rows.push([table, rowWithBox]);
      }
      return rows;
    },
    put(table: GameTable | undefined, tableKey, key, row): GameTable {
      const next = table ?? newTable(tableKey);
      next.rows[key] = row as string;
      return next;
    },
    remove: (table: GameTable, key) => (deleteOwn(table.rows, key) ? table : undefined),
  },
  fields: {
    entry: { kind: 'string', of: (document) => (document as Partial<GameTable>).entry ?? null },
    year: { kind: 'number', of: (document) => (document as Partial<GameTable>).year ?? null },
  },
  indexes: [['entry', 'year']],
  streams: (key) => [streams.event(key), streams.box(key)],
};

function newDocument(record: DomainRecord): GameDocument {
  return {
    ...eventIdentityOf(record),
    event: newSportsEvent(),
    sides: null,
    boxes: [],
    box: null,
    endedAt: null,
    endRecordedAt: null,
    newest: 0,
    newestBox: 0,
    row: null,
    tables: null,
    left: [],
    rowAt: null,
    changedAt: null,
  };
}

/** @returns what the record is about */
function applyRecord(next: GameDocument, record: DomainRecord): 'event' | 'box' {
  switch (record.type) {
    case 'EventScheduled':
    case 'ScoreChanged':
      applyEventRecord(next, record);
      return 'event';
    case 'BoxChanged': {
      const { at, source, content } = record.data;
      next.newestBox = Math.max(next.newestBox, timeOf(at));
      next.boxes = addAveragedReport(next.boxes, { at, source, content }, next.sport);
      return 'box';
    }
    case 'BoxReconfirmed':
      next.newestBox = Math.max(next.newestBox, timeOf(record.data.at));
      next.boxes = reconfirmAveraged(next.boxes, record.data);
      return 'box';
    default:
      throw new Error(`${record.type} tells nothing of a game`);
  }
}

function applyEventRecord(
  next: GameDocument,
  record: Extract<DomainRecord, { type: 'EventScheduled' | 'ScoreChanged' }>,
): void {
  const { late, content, at, source } = record.data;
  const time = timeOf(at);
  next.newest = Math.max(next.newest, time);
  if (late) next.event = trimEvent(late);
  else if (record.type === 'EventScheduled') {
    next.event = applySchedule(next.event, { at, source, content: trimSchedule(record.data.content) });
    next.event.starts = [];
  } else next.event = applyScore(next.event, record.data);
  if (record.type === 'EventScheduled') {
    const sides = late ? late.schedule?.sides : record.data.content.sides;
    next.sides = sides ? [sideKeyOf(sides[0]), sideKeyOf(sides[1])] : null;
  }
  if (content.status === 'final') {
    next.endRecordedAt ??= Date.parse(record.recordedAt);
    next.endedAt = Math.min(next.endedAt ?? time, time);
  }
}

const sideKeyOf = ({ key, id }: EventSide): SideKeys[0] => ({ key, id });

/** Updates the row. @returns whether it changed */
function updateGameRow(next: GameDocument, { data, recordedAt, position }: DomainRecord): boolean {
  const game = countGame(next, next.endedAt);
  if (!game && next.row === null) return false;
  const row = next.row === null ? null : parseGameRow(next.row);
  const packed = game ? packGame(game) : row!.game;
  const isSame = row !== null && row.counts === (game !== null) && isDeepStrictEqual(packed, row.game);
  const isLate = timeOf((data as { at: string }).at) < next.newest;
  if (isSame && !isLate) return false;
  const now = Date.parse(recordedAt);
  const times = updateKnowledgeTimes(row, { now, from: next.endedAt!, newest: next.newest, isSame, isLate });
  next.row = serializeGameRow({ game: packed, counts: game !== null, ...times });
  const tables = tablesOf(next.sport, packed);
  if (next.tables) next.left = formerTables([...next.left, ...next.tables], tables);
  next.tables = tables;
  next.rowAt = String(position);
  return true;
}

const formerTables = (earlier: readonly string[], current: GameTableKeys): string[] =>
  [...new Set(earlier)].filter((table) => !current.includes(table));

/** Updates the times of the box statistics. @param before the reports until then @returns whether anything changed */
function updateBoxTimes(next: GameDocument, { data, recordedAt }: DomainRecord, before: AveragedReports): boolean {
  const stats = serializeAveragedSides(next.boxes);
  if (!next.box && stats === NO_AVERAGED_SIDES) return false;
  const box = next.box && unpackKnowledgeTimes(next.box);
  const time = timeOf((data as { at: string }).at);
  const isSame = box !== null && stats === serializeAveragedSides(before);
  const isLate = box !== null && time < next.newestBox;
  if (isSame && !isLate) return false;
  const from = Math.min(box?.observed[0] ?? time, time);
  const now = Date.parse(recordedAt);
  next.box = packKnowledgeTimes(updateKnowledgeTimes(box, { now, from, newest: next.newestBox, isSame, isLate }));
  return true;
}

function tablesOf(sport: string, [seasonId, startsAt, , first, second]: PackedGame): GameTableKeys {
  const kind = rulesOf(sport).entry;
  const year = new Date(startsAt).getUTCFullYear();
  return [
    seasonTable(seasonId),
    yearTable(tableEntry(kind, first), year),
    yearTable(tableEntry(kind, second), year),
    pairTable(kind, [first, second]),
  ];
}

function newTable(key: string): GameTable {
  const [, entry, year] = YEAR_TABLE.exec(key) ?? [];
  return entry === undefined ? { rows: {} } : { entry, year: Number(year), rows: {} };
}
