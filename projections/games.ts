import { isDeepStrictEqual } from 'node:util';
import { type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { type KnownSince, knownSince } from '../src/domain/known-since.ts';
import { timeOf } from '../src/domain/observation.ts';
import type { Projection, TableRow } from '../src/domain/projection.ts';
import { rulesOf } from '../src/domain/sides.ts';
import {
  applySchedule,
  applyScore,
  type EventSide,
  newSportsEvent,
  type SportsEvent,
} from '../src/domain/sports-event.ts';
import { countedEvent, countedSchedule } from '../src/domain/statistics/counted-event.ts';
import { gameOf, type KnownSides } from '../src/domain/statistics/game.ts';
import { type PackedRow, packGame, rowText } from '../src/domain/statistics/game-row.ts';
import { ratedReconfirmed, ratedSides, ratedWith, type ToldRated } from '../src/domain/statistics/rated-box.ts';

/** A sports event, as far as statistics need it. There are as many as events: what they do not need is left out. */
export interface GameDocument {
  readonly id: number;
  readonly sport: string;
  readonly league: string;
  event: SportsEvent;
  sides: KnownSides | null;
  /** What was said of both sides' statistics. */
  boxes: ToldRated;
  /** Since when these are as they are; null as long as nobody has stated any. */
  box: KnownSince | null;
  /** The earliest time of a message that says that it is over, and when the first of them was recorded; milliseconds. */
  ended: { at: number; recordedAt: number } | null;
  /** The newest time of all that was said of the event, and of its box; milliseconds. */
  newest: { event: number; box: number };
  /** What tables have of it; null as long as it has never counted. */
  row: PackedRow | null;
  /** Position of the record that changed the row last, and of the one that changed row or box; null before. */
  changed: { row: string | null; any: string | null };
  /** The tables that had it once, and would not get it now. */
  left: readonly string[];
}

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
export const entryName = (kind: 'team' | 'player', id: number): string => `${kind}:${id}`;

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
    const isTold = fold(next, record) === 'box' ? tellBox(next, record, boxes) : tellGame(next, record);
    if (isTold) next.changed.any = String(record.position);
    return next;
  },
  tables: {
    rowsOf({ row, sport, boxes, box, changed, left }: GameDocument, position) {
      if (!row || changed.any === null) return undefined;
      const at = String(position);
      if (changed.any !== at && changed.row !== at) return undefined;
      const rows: TableRow[] = [];
      const { season, years, pair } = tablesOf(sport, row);
      const plain = changed.row === at ? rowText(row) : undefined;
      if (plain !== undefined) {
        rows.push([season, plain], [pair, plain]);
        for (const table of left) if (!YEAR_TABLE.test(table)) rows.push([table, plain]);
      }
      if (changed.any === at) {
        const played = box ? rowText(row, { stats: ratedSides(boxes), ...box }) : (plain ?? rowText(row));
        rows.push([years[0], played], [years[1], played]);
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
    ended: null,
    newest: { event: 0, box: 0 },
    row: null,
    changed: { row: null, any: null },
    left: [],
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
      next.newest.box = Math.max(next.newest.box, timeOf(at));
      next.boxes = ratedWith(next.boxes, { at, source, content }, next.sport);
      return 'box';
    }
    case 'BoxReconfirmed':
      next.newest.box = Math.max(next.newest.box, timeOf(record.data.at));
      next.boxes = ratedReconfirmed(next.boxes, record.data);
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
  next.newest.event = Math.max(next.newest.event, time);
  if (late) next.event = countedEvent(late);
  else if (record.type === 'EventScheduled') {
    next.event = applySchedule(next.event, { at, source, content: countedSchedule(record.data.content) });
    next.event.starts = [];
  } else next.event = applyScore(next.event, record.data);
  if (record.type === 'EventScheduled') {
    const sides = late ? late.schedule?.sides : record.data.content.sides;
    next.sides = sides ? [known(sides[0]), known(sides[1])] : null;
  }
  if (content.status === 'final') {
    const recordedAt = next.ended?.recordedAt ?? Date.parse(record.recordedAt);
    next.ended = { at: Math.min(next.ended?.at ?? time, time), recordedAt };
  }
}

const known = ({ key, id }: EventSide): KnownSides[0] => ({ key, id });

/** Brings the row up to date. @returns whether it has changed */
function tellGame(next: GameDocument, { data, recordedAt, position }: DomainRecord): boolean {
  const game = gameOf(next, next.ended?.at ?? null);
  const { row } = next;
  if (!game && !row) return false;
  const packed = game ? packGame(game) : row!.game;
  const isSame = row !== null && row.counts === (game !== null) && isDeepStrictEqual(packed, row.game);
  const isLate = timeOf((data as { at: string }).at) < next.newest.event;
  if (isSame && !isLate) return false;
  const now: PackedRow = {
    game: packed,
    counts: game !== null,
    ...knownSince(row, {
      now: Date.parse(recordedAt),
      from: next.ended!.at,
      newest: next.newest.event,
      isSame,
      isLate,
    }),
  };
  if (row) {
    const tables = allTablesOf(next.sport, now);
    next.left = [...new Set([...next.left, ...allTablesOf(next.sport, row)])].filter((one) => !tables.includes(one));
  }
  next.row = now;
  next.changed.row = String(position);
  return true;
}

/** The same of what the sides did. @param before what was said of it until then */
function tellBox(next: GameDocument, { data, recordedAt }: DomainRecord, before: ToldRated): boolean {
  const { box } = next;
  const stats = ratedSides(next.boxes);
  if (!box && !stats[0] && !stats[1]) return false;
  const time = timeOf((data as { at: string }).at);
  const isSame = box !== null && isDeepStrictEqual(stats, ratedSides(before));
  const isLate = box !== null && time < next.newest.box;
  if (isSame && !isLate) return false;
  const from = Math.min(box?.observed[0] ?? time, time);
  next.box = knownSince(box, { now: Date.parse(recordedAt), from, newest: next.newest.box, isSame, isLate });
  return true;
}

/** The tables of a row as it is. */
function tablesOf(sport: string, { game: [seasonId, startsAt, , first, second] }: PackedRow) {
  const kind = rulesOf(sport).entry;
  const year = new Date(startsAt).getUTCFullYear();
  return {
    season: seasonTable(seasonId),
    years: [yearTable(entryName(kind, first), year), yearTable(entryName(kind, second), year)] as const,
    pair: pairTable(kind, [first, second]),
  };
}

function allTablesOf(sport: string, row: PackedRow): string[] {
  const { season, years, pair } = tablesOf(sport, row);
  return [season, ...years, pair];
}

function newTable(key: string): GameTable {
  const [, entry, year] = YEAR_TABLE.exec(key) ?? [];
  return entry === undefined ? { rows: {} } : { entry, year: Number(year), rows: {} };
}
