import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import type { EventOfKind, RecordOf } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  repeatNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import { type HistoryEntry, timeOf } from '../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type Placement,
} from '../src/domain/observations/observation-history.ts';
import {
  applyChanges,
  type BookDepth,
  changesOf,
  type DepthChange,
  pricesOfBooks,
  type ReportedBook,
} from '../src/domain/odds/book-depth.ts';
import { applyPrices, type BookPrices, marketName, type PricesContent } from '../src/domain/odds/bookmaker-prices.ts';
import { applyMovements, type BookMovements } from '../src/domain/odds/line-movements.ts';
import { type OtherLadders, withOtherLadders } from '../src/domain/odds/standing-ladders.ts';
import {
  applyAgain,
  applyStanding,
  judgeNews,
  releasesAgain,
  type StandingBook,
} from '../src/domain/odds/standing-prices.ts';
import { ownValue, setOwn } from '../src/domain/primitives/own-properties.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import { oddsStream } from '../src/domain/streams/stream-definitions.ts';
import { decideReport, type ReportCommand } from './report-decider.ts';

/**
 * The write-side state of the prices of one event (stream `odds-ID`): the newest report of each bookmaker, the order
 * books of each venue, and the main lines as they stand, by which a price is judged suspect.
 */
interface OddsState {
  readonly newest: Map<string, NewestObservation>;
  readonly depth: Map<string, BookDepth>;
  /** Of venues with order books. */
  readonly named: Map<string, NamedMarkets>;
  readonly standing: Map<string, StandingBook>;
}

/** Which markets the newest report names, and when each was named last, in milliseconds. */
interface NamedMarkets {
  readonly newest: readonly string[];
  readonly at: Readonly<Record<string, number>>;
}

function evolve(state: OddsState, record: RecordOf<OddsEvent>): OddsState {
  const { newest } = state;
  if (record.type === 'PricesChanged') {
    const { bookmaker } = record.data.content;
    newest.set(bookmaker, updateNewest(newest.get(bookmaker), record.data, record.revision));
  } else {
    const again = record.type === 'PricesReconfirmed' ? reconfirmNewest : repeatNewest;
    const found = again(newest.get(record.data.bookmaker), record.data);
    if (found) newest.set(record.data.bookmaker, found);
  }
  evolveBooks(state, record);
  evolveStanding(state.standing, record);
  return state;
}

function evolveStanding(standing: OddsState['standing'], { type, data }: RecordOf<OddsEvent>): void {
  if (type === 'PricesChanged') applyStanding(standing, data);
  else if (type === 'PricesReconfirmed') applyAgain(standing, data);
}

function evolveBooks({ depth, named }: Pick<OddsState, 'depth' | 'named'>, record: RecordOf<OddsEvent>): void {
  if (record.type === 'PricesRepeated') return;
  const { data } = record;
  const venue = record.type === 'PricesChanged' ? record.data.content.bookmaker : record.data.bookmaker;
  if (data.depth) depth.set(venue, applyChanges(depth.get(venue), data.depth, data.at));
  if (!depth.has(venue)) return;
  const { newest = [], at: before = {} } = named.get(venue) ?? {};
  const markets = record.type === 'PricesChanged' ? record.data.content.markets.map(marketName) : newest;
  const at: Record<string, number> = { ...before };
  for (const market of markets) setOwn(at, market, Math.max(ownValue(at, market) ?? 0, timeOf(data.at)));
  const isLate = record.type === 'PricesChanged' && record.data.late !== undefined;
  named.set(venue, { newest: isLate ? newest : markets, at });
}

/** All reports of prices of one event, by bookmaker, and the order books and main lines as of `OddsState`. */
interface OddsHistory extends Pick<OddsState, 'depth' | 'named' | 'standing'> {
  readonly reports: Map<string, ObservationHistory<PricesContent>>;
}

function evolveHistory(state: OddsHistory, record: RecordOf<OddsEvent>): OddsHistory {
  if (record.type === 'PricesChanged') {
    addToHistory(historyOf(state, record.data.content.bookmaker), record.data, record.revision);
  } else {
    addReconfirmation(historyOf(state, record.data.bookmaker), record.data);
  }
  evolveBooks(state, record);
  evolveStanding(state.standing, record);
  return state;
}

function historyOf({ reports }: OddsHistory, bookmaker: string): ObservationHistory<PricesContent> {
  let history = reports.get(bookmaker);
  if (!history) {
    history = [];
    reports.set(bookmaker, history);
  }
  return history;
}

/** Decides on prices older than others of their bookmaker. */
const lateOddsDecider: Decider<OddsHistory, OddsCommand, OddsEvent> = {
  initial: () => ({ reports: new Map(), depth: new Map(), named: new Map(), standing: new Map() }),
  decide(command, { reports, standing, ...known }) {
    const report = toReport(command, known, (venue) => reports.get(venue)?.at(-1)?.at);
    if (!report) return [];
    return decidePrices(report, findPlacement(reports.get(report.content.bookmaker) ?? [], report), standing);
  },
  evolve: evolveHistory,
};

type OddsEvent = EventOfKind<typeof oddsStream>;

export type PricesCommand = ReportCommand<PricesContent>;

/** A report on the order books of a venue. */
export interface BooksCommand extends Omit<PricesCommand, 'content'> {
  readonly venue: string;
  readonly books: readonly ReportedBook[];
  /** The standing ladders of the venue that the report leaves as they are; none of the markets that it names if absent. */
  readonly others?: OtherLadders;
}
type OddsCommand = PricesCommand | BooksCommand;

/** A report of prices, and what it changes of the order books. */
type DepthReport = PricesCommand & { readonly changes?: readonly DepthChange[] };

/** The ordinary prices that follow from order books, and what of the books is new; undefined: the books say nothing. */
function toReport(
  command: OddsCommand,
  { depth: depths, named: markets }: Pick<OddsState, 'depth' | 'named'>,
  newestAtOf: (venue: string) => number | undefined,
): DepthReport | undefined {
  if (!('books' in command)) return command;
  const { venue, books: named, others, at, ...rest } = command;
  const before = depths.get(venue);
  const moment = { at, newestAt: newestAtOf(venue), namedAt: markets.get(venue)?.at ?? {} };
  const books = others ? withOtherLadders(before, named, { ...moment, others }) : named;
  if (books.length === 0 && named.length > 0) return undefined;
  const changes = changesOf(before, books, at);
  const fees = changes.filter(({ fee }) => fee !== undefined).map((one) => ({ ...one, outcomes: [] }));
  const after = fees.length === 0 ? before : applyChanges({ ...before }, fees, at);
  const content = { bookmaker: venue, markets: pricesOfBooks(after, books, at) };
  return { ...rest, at, content, changes };
}

/** The events for one bookmaker's prices. */
function decidePrices(
  { changes = [], ...command }: DepthReport,
  placed: Placement<ObservationHistory<PricesContent>>,
  standing: OddsState['standing'],
): OddsEvent[] {
  const { content, at } = command;
  // A repetition that makes a suspect price count is no mere repetition: it is told.
  const isNews =
    placed.kind === 'reconfirmed' && releasesAgain(standing, { bookmaker: content.bookmaker, at, depth: changes });
  const placement = isNews ? ({ kind: 'newest' } as const) : placed;
  const isLate = placement.kind === 'late';
  const suspect = isChange(placement) && judgeNews(standing, { content, at, isLate, depth: changes });
  const events = decideReport<OddsEvent>(
    oddsStream,
    ['PricesChanged', 'PricesReconfirmed', 'PricesRepeated'],
    command,
    placement.kind === 'late' ? { kind: 'late', late: foldHistory(placement.late) } : placement,
    { bookmaker: content.bookmaker },
  ).map((event) => (suspect ? ({ ...event, data: { ...event.data, suspect } } as OddsEvent) : event));
  // The ladders of a late book would be put onto those of a later moment. Its fee holds from its own time on.
  const depth = isLate
    ? changes.filter(({ fee }) => fee !== undefined).map((change) => ({ ...change, outcomes: [] }))
    : changes;
  if (depth.length === 0) return events;
  return events.map((event) =>
    event.type === 'PricesRepeated' ? event : ({ ...event, data: { ...event.data, depth } } as OddsEvent),
  );
}

const isChange = ({ kind }: Placement): boolean => kind === 'newest' || kind === 'late';

/** The state after a late message: the current prices, and the movements recomputed around it. */
function foldHistory(entries: readonly HistoryEntry<PricesContent>[]): {
  prices: BookPrices;
  movements: BookMovements;
} {
  let prices: BookPrices | undefined;
  let movements: BookMovements | undefined;
  const namedAt = new Map<string, number>();
  for (const { at, source, content } of entries) {
    const report = { at: formatTime(at), source, content };
    prices = applyPrices(prices, report, (market) => at > (namedAt.get(market) ?? at));
    for (const market of content.markets) namedAt.set(marketName(market), at);
    movements = applyMovements(movements, report);
  }
  return { prices: prices!, movements: movements! };
}

export const oddsDecider: StreamDecider<OddsState, OddsCommand, OddsEvent> = {
  stream: oddsStream,
  initial: () => ({ newest: new Map(), depth: new Map(), named: new Map(), standing: new Map() }),
  decide(command, { newest, standing, ...known }) {
    const report = toReport(command, known, (venue) => newest.get(venue)?.at);
    if (!report) return [];
    const placement = placeByNewest(newest.get(report.content.bookmaker), report);
    return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decidePrices(report, placement, standing);
  },
  evolve,
  lastReportedAt: (command, { newest }) =>
    lastReportedAtBy(newest.get('books' in command ? command.venue : command.content.bookmaker), command),
  history: lateOddsDecider,
  stateVersion: 9,
};
