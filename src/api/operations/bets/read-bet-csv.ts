import { Readable } from 'node:stream';
import { openCsv } from '../../../sources/parsing/csv.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { MAX_BETS_AT_ONCE, WHY_UNREAD } from './bet-body.ts';
import { isUnread, readNumber, type UnreadCell } from './sheet-cells.ts';
import { columnOf, separatorOf, statedDayOrder } from './sheet-columns.ts';
import { readOdds } from './sheet-odds.ts';
import { readStakes } from './sheet-stakes.ts';
import { type DayOrder, readTimes } from './sheet-times.ts';

const LEG_TEXTS = ['market_key', 'side', 'scope'] as const;
const LEG_NUMBERS = ['event_id', 'line', 'player_id', 'team_id'] as const;
const CLUE_TEXTS = ['sport', 'league', 'team_text'] as const;
const CLUE_NUMBERS = ['event_id', 'team_id'] as const;

/** Bets as the JSON body has them, and the line of the file on which each ends, from 1. */
export interface BetRows {
  readonly bets: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly number[];
}

/** What stands in a column of one row, by the name of the API; empty where nothing does. */
type Cells = (column: string) => string;

/** What a sheet says of all its rows. */
interface SheetForm {
  readonly has: (column: string) => boolean;
  /** Whether numbers have decimal commas. */
  readonly hasCommas: boolean;
  /** That the name of the column states; undefined: it states none. */
  readonly dayOrder: DayOrder | undefined;
}

/**
 * The rows of a CSV text whose first line names the columns. Empty cells are absent; a cell that cannot be read stays
 * text, which the schema refuses; other columns are ignored.
 * @throws ApiError bad_request if it is no CSV
 */
export async function readBetCsv(text: string): Promise<BetRows> {
  const rows: Cells[] = [];
  const lines: number[] = [];
  const separator = separatorOf(text);
  const columns = new Map<string, string>();
  try {
    const csv = await openCsv(Readable.from([text]), separator);
    for (const name of csv.header) if (!columns.has(columnOf(name))) columns.set(columnOf(name), name);
    for await (const row of csv.rows) {
      rows.push((column) => (columns.has(column) ? row.get(columns.get(column)!) : ''));
      lines.push(row.line);
      // One more than may come at once: the schema refuses so many.
      if (rows.length > MAX_BETS_AT_ONCE) break;
    }
    csv.close();
  } catch (error) {
    throw badRequest(`The body is no CSV: ${(error as Error).message}`);
  }
  const bets = readBetRows(rows, {
    has: (column) => columns.has(column),
    // Where commas stand in numbers, something else stands between cells.
    hasCommas: separator === ';',
    dayOrder: statedDayOrder(columns.get('placed_at') ?? ''),
  });
  return { bets, lines };
}

/** One bet as the JSON body has it. */
export const readBetRow = (cell: Cells): Record<string, unknown> =>
  readBetRows([cell], { has: () => false, hasCommas: false, dayOrder: undefined })[0]!;

function readBetRows(rows: readonly Cells[], { has, hasCommas, dayOrder }: SheetForm): Record<string, unknown>[] {
  const odds = readOdds(
    rows.map((cell) => ({ price: cell('price'), american: cell('american_odds'), decimal: cell('decimal') })),
    { hasDecimals: has('decimal'), hasCommas },
  );
  const stakes = readStakes(
    rows.map((cell) => cell('stake')),
    hasCommas,
  );
  const times = readTimes(
    rows.map((cell) =>
      has('placed_at') || !has('time')
        ? { date: cell('placed_at'), time: cell('time') }
        : { date: cell('time'), time: '' },
    ),
    dayOrder,
  );
  const numberOf = (cell: string): number | string => readNumber(cell, hasCommas) ?? cell;
  return rows.map((cell, index) => {
    const price = odds[index];
    return betOf({
      ...(cell('text') === '' ? legOf(cell, numberOf) : wordsOf(cell, numberOf)),
      ...(isUnread(price) ? { price } : price),
      stake: stakes[index],
      book: cell('book'),
      placed_at: times[index],
    });
  });
}

/** The members of a leg. Words of which there are few are read in any case. */
function legOf(cell: Cells, numberOf: (cell: string) => number | string): Record<string, unknown> {
  const texts = LEG_TEXTS.map((name) => [name, cell(name)]);
  const numbers = LEG_NUMBERS.map((name) => [name, cell(name) && numberOf(cell(name))]);
  return {
    ...Object.fromEntries([...texts, ...numbers]),
    side: cell('side').toLowerCase(),
    scope: cell('scope').toUpperCase(),
  };
}

/**
 * A bet in words. They say the market, the side and the line, so that columns of these are not read; ids of its event and
 * its team are clues. The part of an event would change the bet: beside words the schema refuses it.
 */
function wordsOf(cell: Cells, numberOf: (cell: string) => number | string): Record<string, unknown> {
  const texts = CLUE_TEXTS.map((name) => [name, cell(`clues_${name}`)]);
  const numbers = CLUE_NUMBERS.map((name) => {
    const given = cell(`clues_${name}`) || cell(name);
    return [name, given && numberOf(given)];
  });
  const clues = [...texts, ...numbers].filter(([, value]) => value !== '');
  return {
    text: cell('text'),
    scope: cell('scope'),
    clues: clues.length === 0 ? undefined : Object.fromEntries(clues),
  };
}

/** Without the members that are empty. Those that cannot be read are texts, with the reasons beside them. */
function betOf(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== '');
  const wrong = given.filter((member): member is [string, UnreadCell] => isUnread(member[1]));
  const bet = Object.fromEntries(given.map(([name, value]) => [name, isUnread(value) ? value.unread : value]));
  if (wrong.length === 0) return bet;
  return { ...bet, [WHY_UNREAD]: Object.fromEntries(wrong.map(([name, { why }]) => [name, why])) };
}
