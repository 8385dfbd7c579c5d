import { isDeepStrictEqual } from 'node:util';
import { rulesOf } from '../../src/domain/catalogue/sport-rules.ts';
import type { Projection, TableRow } from '../../src/domain/event-sourcing/projection.ts';
import { updateKnowledgeTimes } from '../../src/domain/observations/knowledge-times.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
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

/** A sports event, as far as statistics need it. There are as many as events: what they do not need is left out. */
export interface GameDocument {
  readonly id: number;
  readonly sport: string;
  readonly league: string;
  event: SportsEvent;
  sides: SideKeys | null;
  /** What was said of both sides' statistics. */
  boxes: AveragedReports;
  /** Since when these are as they are; null as long as nobody has stated any. */
  box: PackedKnowledgeTimes | null;
  /** The earliest time of a message that says that it is over, and when the first of them was recorded; milliseconds. */
  endedAt: number | null;
  endRecordedAt: number | null;
  /** The newest time of all that was said of the event, and of its box; milliseconds. */
  newest: number;
  newestBox: number;
  /** What tables have of it, see `rowText`; null as long as it has never counted. */
  row: string | null;
  /** Those that have it: of its season, of both sides, of the two. */
  tables: GameTableKeys | null;
  /** Those that had it once, and would not get it now. */
  left: readonly string[];
  /** Position of the record that changed the row last, and of the one that changed row or box; null before. */
  rowAt: string | null;
  changedAt: string | null;
}
type GameTableKeys = readonly [season: string, first: string, second: string, pair: string];

/** Rows of games by event id: see `readRows`. */
export interface GameTable {
  /** Of tables of one team or player in one calendar year (UTC) of starts, for whoever looks for an earlier one. */
  entry?: string;
  year?: number;
  rows: Record<string, string>;
}

/** All games of a season of a league. */
export const seasonTable = (seasonId: number): string => `season:${seasonId}`;
/** Those of a team or player that started in a calendar year (UTC), in any league. */
export const yearTable = (entry: string, year: number): string => `${entry}:${year}`;
/** Those of two teams or players against each other. */
export const pairTable = (kind: 'team' | 'player', [a, b]: readonly [number, number]): string =>
  `${kind}s:${Math.min(a, b)}:${Math.max(a, b)}`;
/** How tables call a team or a player. */
export const tableEntry = (kind: 'team' | 'player', id: number): string => `${kind}:${id}`;

const YEAR_TABLE = /^((?:team|player):\d+):(\d+)$/;

/** The games that count, and in tables what statistics read of them: those of a season, of a side, of two sides. Only
 *  tables of one side have what the sides did in a game. */
export const games: Projection<GameDocument> = {
  name: 'games',
  version: 2,
  types: ['EventScheduled', 'ScoreChanged', 'BoxChanged', 'BoxReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? begin(record);
    const { boxes } = next;
    const isTold = fold(next, record) === 'box' ? updateBoxTimes(next, record, boxes) : updateGameRow(next, record);
    if (isTold) next.changedAt = String(record.position);
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
        const played = box ? appendBoxToRow(row, serializeAveragedSides(boxes), box) : row;
        rows.push([first, played], [second, played]);
        for (const table of left) if (YEAR_TABLE.test(table)) rows.push([table, played]);
      }
      return rows;
    },
    put(table: GameTable | undefined, tableKey, key, row): GameTable {
      const next = table ?? newTable(tableKey);
      next.rows[key] = row as string;
      return next;
    },
  },
  fields: {
    entry: { kind: 'string', of: (document) => (document as Partial<GameTable>).entry ?? null },
    year: { kind: 'number', of: (document) => (document as Partial<GameTable>).year ?? null },
  },
  indexes: [['entry', 'year']],
  streams: (key) => [streams.event(key), streams.box(key)],
};

function begin({ data }: DomainRecord): GameDocument {
  const { eventId, sport, league } = data as { eventId: number; sport: string; league: string };
  return {
    id: eventId,
    sport,
    league,
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

/** @returns which of the two the record tells of */
function fold(next: GameDocument, record: DomainRecord): 'event' | 'box' {
  switch (record.type) {
    case 'EventScheduled':
    case 'ScoreChanged':
      foldEvent(next, record);
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

function foldEvent(
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

/** Brings the row up to date. @returns whether it has changed */
function updateGameRow(next: GameDocument, { data, recordedAt, position }: DomainRecord): boolean {
  const game = countGame(next, next.endedAt);
  if (!game && next.row === null) return false;
  const row = next.row === null ? null : parseGameRow(next.row);
  const packed = game ? packGame(game) : row!.game;
  const isSame = row !== null && row.counts === (game !== null) && isDeepStrictEqual(packed, row.game);
  const isLate = timeOf((data as { at: string }).at) < next.newest;
  if (isSame && !isLate) return false;
  const now = Date.parse(recordedAt);
  const known = updateKnowledgeTimes(row, { now, from: next.endedAt!, newest: next.newest, isSame, isLate });
  next.row = serializeGameRow({ game: packed, counts: game !== null, ...known });
  const tables = tablesOf(next.sport, packed);
  if (next.tables) next.left = formerTables([...next.left, ...next.tables], tables);
  next.tables = tables;
  next.rowAt = String(position);
  return true;
}

const formerTables = (had: readonly string[], has: GameTableKeys): string[] =>
  [...new Set(had)].filter((table) => !has.includes(table));

/** The same of what the sides did. @param before what was said of it until then */
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
