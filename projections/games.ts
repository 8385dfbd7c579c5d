import { boxOf, boxReconfirmed, boxWith, type ToldBox } from '../src/domain/box.ts';
import { type BoxContent, type DomainRecord, streams } from '../src/domain/domain-events.ts';
import { type KnownSince, knownSince } from '../src/domain/known-since.ts';
import { timeOf } from '../src/domain/observation.ts';
import type { Projection, TableRows } from '../src/domain/projection.ts';
import { applySides, type EventSides, newSides } from '../src/domain/side-names.ts';
import { rolesOf, rulesOf } from '../src/domain/sides.ts';
import { applySchedule, applyScore, newSportsEvent, type SportsEvent } from '../src/domain/sports-event.ts';
import { gameOf } from '../src/domain/statistics/game.ts';
import { type GameRow, packGame } from '../src/domain/statistics/game-row.ts';
import { ratedStats } from '../src/domain/statistics/rated-stats.ts';

/** What the boxes of both sides state, by `ratedFields` of the sport; null where nobody has stated any. */
export interface RatedBox extends KnownSince {
  readonly stats: readonly [SideStats, SideStats];
}
export type SideStats = readonly (number | null)[] | null;

/** A game with what its sides did in it. Only tables of one side have the box. */
export interface PlayedRow extends GameRow {
  readonly box?: RatedBox;
}

/** A sports event, as far as statistics need it. */
export interface GameDocument extends EventSides {
  id: number;
  sport: string;
  league: string;
  event: SportsEvent;
  /** What was said of both sides' statistics, without those of players. */
  boxes: ToldBox;
  box: RatedBox | null;
  /** The earliest time of a message that says that it is over, and when the first of them was recorded; milliseconds. */
  ended: { at: number; recordedAt: number } | null;
  /** The newest time of all that was said of the event, and of its box; milliseconds. */
  newest: { event: number; box: number };
  /** What tables have of it; null as long as it has never counted. */
  row: GameRow | null;
  /** The tables that have it, or had it once. */
  tables: string[];
  /** Position of the record that changed the row last. */
  rowAt: string;
}

/** Rows of games by event id. */
export interface GameTable {
  /** Of tables of one team or player in one calendar year (UTC) of starts, for whoever looks for an earlier one. */
  entry?: string;
  year?: number;
  rows: Record<string, PlayedRow>;
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

/** The games that count, and in tables what statistics read of them: those of a season, of a side, of two sides. */
export const games: Projection<GameDocument> = {
  name: 'games',
  version: 1,
  types: ['EventScheduled', 'ScoreChanged', 'BoxChanged', 'BoxReconfirmed'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const record = untyped as DomainRecord;
    const next = document ?? begin(record);
    fold(next, record);
    applySides(next, record);
    tell(next, record);
    return next;
  },
  tables: {
    rowsOf: ({ row, box, tables, rowAt }: GameDocument): TableRows | undefined => {
      if (!row) return undefined;
      const played: PlayedRow = box ? { ...row, box } : row;
      const rows = tables.map((table) => [table, YEAR_TABLE.test(table) ? played : row]);
      return { rows: Object.fromEntries(rows), position: BigInt(rowAt) };
    },
    put(table: GameTable | undefined, tableKey, key, row): GameTable {
      const next = table ?? newTable(tableKey);
      next.rows[key] = row as PlayedRow;
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
    ...{ id: eventId, sport, league, event: newSportsEvent(), ...newSides() },
    ...{ boxes: [], box: null, ended: null, newest: { event: 0, box: 0 }, row: null, tables: [], rowAt: '' },
  };
}

function fold(next: GameDocument, record: DomainRecord): void {
  switch (record.type) {
    case 'EventScheduled':
    case 'ScoreChanged': {
      const { late, content, at } = record.data;
      const time = timeOf(at);
      next.newest.event = Math.max(next.newest.event, time);
      // A late record brings the whole state, which later records change: it must not be the record's own.
      if (late) next.event = structuredClone(late);
      else if (record.type === 'EventScheduled') next.event = applySchedule(next.event, record.data);
      else next.event = applyScore(next.event, record.data);
      if (content.status === 'final') {
        const recordedAt = next.ended?.recordedAt ?? Date.parse(record.recordedAt);
        next.ended = { at: Math.min(next.ended?.at ?? time, time), recordedAt };
      }
      break;
    }
    case 'BoxChanged': {
      const { at, source, content } = record.data;
      next.newest.box = Math.max(next.newest.box, timeOf(at));
      next.boxes = boxWith(next.boxes, { at, source, content: ofSides(content, next.sport) });
      break;
    }
    case 'BoxReconfirmed':
      next.newest.box = Math.max(next.newest.box, timeOf(record.data.at));
      next.boxes = boxReconfirmed(next.boxes, record.data);
      break;
  }
}

/** Of a box, what statistics read: whoever plays alone is his own side. */
function ofSides({ teams, players }: BoxContent, sport: string): BoxContent {
  const [first, second] = rulesOf(sport).entry === 'player' ? rolesOf(sport) : [];
  const ownOf = (role: string | undefined) => role && players?.find((player) => player.role === role)?.stats;
  const [home, away] = [ownOf(first), ownOf(second)];
  const sides = { ...(home ? { home } : {}), ...(away ? { away } : {}), ...teams };
  return Object.keys(sides).length > 0 ? { teams: sides } : {};
}

/** Brings what tables have up to date. */
function tell(next: GameDocument, record: DomainRecord): void {
  const changed = record.type.startsWith('Box') ? tellBox(next, record) : tellGame(next, record);
  if (changed && next.row) next.rowAt = String(record.position);
}

function tellGame(next: GameDocument, { data, recordedAt }: DomainRecord): boolean {
  const game = gameOf(next, next.ended?.at ?? null);
  const { row } = next;
  if (!game && !row) return false;
  const packed = game ? packGame(game) : row!.game;
  const isSame = row !== null && row.counts === (game !== null) && JSON.stringify(packed) === JSON.stringify(row.game);
  const isLate = timeOf((data as { at: string }).at) < next.newest.event;
  if (isSame && !isLate) return false;
  next.row = {
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
  if (game) {
    const { sides, seasonId, startsAt } = game;
    const kind = rulesOf(next.sport).entry;
    const year = new Date(startsAt).getUTCFullYear();
    const years = sides.map((id) => yearTable(entryName(kind, id), year));
    next.tables = [...new Set([...next.tables, seasonTable(seasonId), ...years, pairTable(kind, sides)])];
  }
  return true;
}

function tellBox(next: GameDocument, { data, recordedAt }: DomainRecord): boolean {
  const { box } = next;
  const [first, second] = boxOf(next.boxes)?.teams ?? [null, null];
  const stats = [ratedStats(next.sport, first), ratedStats(next.sport, second)] as const;
  if (!box && !stats[0] && !stats[1]) return false;
  const time = timeOf((data as { at: string }).at);
  const isSame = box !== null && JSON.stringify(stats) === JSON.stringify(box.stats);
  const isLate = box !== null && time < next.newest.box;
  if (isSame && !isLate) return false;
  const from = Math.min(box?.observed[0] ?? time, time);
  next.box = {
    stats,
    ...knownSince(box, { now: Date.parse(recordedAt), from, newest: next.newest.box, isSame, isLate }),
  };
  return true;
}

function newTable(key: string): GameTable {
  const [, entry, year] = YEAR_TABLE.exec(key) ?? [];
  return entry === undefined ? { rows: {} } : { entry, year: Number(year), rows: {} };
}
