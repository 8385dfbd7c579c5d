import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { CountedSelection, ExcludedSelection } from '../../domain/experiments/experiment-events.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import { type ClosingRecord, closingStream } from '../../domain/proof/closing-events.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { PublishedSelection } from '../../domain/streams/stream-definitions.ts';
import { allTypesExcept } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ExperimentTerms } from '../../intelligence/experiments/experiment-terms.ts';
import type { EventFacts } from '../../intelligence/facts/event-facts.ts';
import { winningOutcome } from '../../intelligence/forecasts/market-forecast.ts';
import { betTokensOf } from '../../intelligence/prices/bet-tokens.ts';
import { decimalOdds } from '../../intelligence/prices/odds-arithmetic.ts';
import { outcomesOf, QUOTED_MARKETS, type QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { readStory } from '../facts/log-facts.ts';

export interface SelectionReading {
  readonly log: Pick<EventLog, 'readSince' | 'readStream' | 'readStreams' | 'replacements'>;
  readonly store: Pick<ReadStore, 'get'>;
}

/** When the server must have recorded a selection: in [from, until), milliseconds. */
export interface SelectionRange {
  readonly from: number;
  readonly until: number;
}

interface CohortSelections {
  /** In the order of the log, as the exclusions are. */
  readonly selections: readonly CountedSelection[];
  readonly exclusions: readonly ExcludedSelection[];
  readonly leftOut: number;
}

/** Selections of one experiment. A record of so many stays below the megabyte that an append may have. */
export const MAX_SELECTIONS = 1500;
const BATCH = 200;
const UNWANTED = allTypesExcept(['IntelligencePublished']);
/** Writers' clocks may differ by so much: a record of a later time may stand before one of an earlier time. */
const OUT_OF_ORDER = 10 * MINUTE;

type Publication = Extract<DomainRecord, { type: 'IntelligencePublished' }>;

interface Found extends Pick<Publication['data'], 'eventId' | 'sport' | 'league'> {
  readonly selectedAt: string;
  readonly market: QuotedMarket;
  /** Its index among the outcomes of the market. */
  readonly outcome: number;
  readonly tier: string | null;
  readonly selection: PublishedSelection;
}

/** The published selections of a cohort, with what became of them by everything that the log has now. */
export async function readCohortSelections(
  { log, store }: SelectionReading,
  terms: ExperimentTerms,
  range: SelectionRange,
  signal: AbortSignal,
): Promise<CohortSelections> {
  const { found, leftOut } = await findSelections(log, terms, range, signal);
  const selections: CountedSelection[] = [];
  const exclusions: ExcludedSelection[] = [];
  const known = new Map<number, Awaited<ReturnType<typeof readEnding>>>();
  for (const one of found) {
    signal.throwIfAborted();
    const { eventId } = one;
    const ending = known.get(eventId) ?? (await readEnding({ log, store }, eventId));
    known.set(eventId, ending);
    const counted = countSelection(one, ending);
    if (typeof counted === 'object') selections.push(counted);
    else {
      const { selectedAt: selected_at, selection } = one;
      exclusions.push({ event_id: eventId, bet_type: selection.bet_type, selected_at, reason: counted });
    }
    await yieldToEventLoop();
  }
  return { selections, exclusions, leftOut };
}

/** Each bet of an event once, as the record selects it. */
async function findSelections(
  log: SelectionReading['log'],
  terms: ExperimentTerms,
  { from, until }: SelectionRange,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Found[]; readonly leftOut: number }> {
  const found: Found[] = [];
  let leftOut = 0;
  const pages = log.readSince(new Date(from).toISOString(), { unwanted: UNWANTED, batch: BATCH, signal });
  for await (const page of pages) {
    for (const record of page) {
      if (record.type !== 'IntelligencePublished' || isReplayed(record)) continue;
      const recordedAt = Date.parse(record.recordedAt);
      if (recordedAt < from || recordedAt >= until) continue;
      for (const one of selectionsOf(record as Publication)) {
        if (!isOfCohort(one, terms)) continue;
        if (found.length < MAX_SELECTIONS) found.push(one);
        else leftOut += 1;
      }
    }
    if (Date.parse(page[0]!.recordedAt) >= until + OUT_OF_ORDER) break;
    await yieldToEventLoop();
  }
  return { found, leftOut };
}

function* selectionsOf({ recordedAt, data }: Publication): Generator<Found> {
  const { eventId, sport, league, bets, selections = [] } = data;
  for (const selection of selections) {
    const { bet_type } = selection;
    for (const market of QUOTED_MARKETS) {
      const outcome = betTokensOf(sport, market).findIndex((token) => token.bet_type === bet_type);
      if (outcome < 0) continue;
      const tier = bets.find((bet) => bet['bet_type'] === bet_type)?.['tier'];
      const ofBet = { market, outcome, tier: typeof tier === 'string' ? tier : null };
      yield { eventId, sport, league, selectedAt: recordedAt, ...ofBet, selection };
    }
  }
}

function isOfCohort({ sport, league, market, tier, selection }: Found, { cohort, minEdge }: ExperimentTerms): boolean {
  const isIn = (values: readonly string[] | null, value: string | null) =>
    values === null || (value !== null && values.includes(value));
  const edge = Math.round((selection.probability - selection.fair_probability) * 1e6) / 1e6;
  return (
    isIn(cohort.sport, sport) &&
    isIn(cohort.league, league) &&
    isIn(cohort.market, market) &&
    isIn(cohort.tier, tier) &&
    edge >= minEdge
  );
}

/** How an event ended, and what its closing prices were. */
interface Ending {
  readonly story: EventFacts | null;
  readonly status: string | undefined;
  readonly closing: ClosingRecord['data'] | undefined;
}

async function readEnding({ log, store }: SelectionReading, eventId: number): Promise<Ending> {
  const story = await readStory(log, eventId);
  // The newest one counts: prices that came late have corrected those before.
  const [record] = await log.readStream(closingStream(eventId), { direction: 'backwards', limit: 1 });
  const document = await store.get<EventDocument>(events.name, String(eventId));
  return {
    story,
    status: document?.document.event.status,
    closing: (record as ClosingRecord | undefined)?.data,
  };
}

function countSelection(
  found: Found,
  { story, status, closing }: Ending,
): CountedSelection | ExcludedSelection['reason'] {
  const { eventId, sport, league, selectedAt, market, outcome, tier, selection } = found;
  const result = story?.result ?? null;
  if (result === null) {
    return status === 'cancelled' || status === 'walkover'
      ? 'cancelled'
      : status === 'postponed'
        ? 'postponed'
        : 'not_settled';
  }
  const { bet_type, line, probability, fair_probability, best } = selection;
  const marketLine = lineOfMarket(market, outcome, line);
  const winner = winningOutcome(sport, market, marketLine, result);
  if (winner === null) return 'push';
  if (best === null) return 'no_price';
  const fair = closing?.consensus.find((one) => one.market === market);
  const side = outcomesOf(market, isSoccer(sport))[outcome]!;
  const isSameLine = fair !== undefined && fair.line === marketLine;
  const close = isSameLine ? (fair.probabilities[side] ?? null) : null;
  const hasWon = winner === outcome;
  const profit = hasWon ? decimalOdds(best.price) - 1 : -1;
  return {
    ...{ event_id: eventId, sport, league, market, bet_type, line, tier, selected_at: selectedAt },
    ...{ probability, fair_probability, book: best.book, price: best.price },
    result: hasWon ? 'won' : 'lost',
    profit: toMillionths(profit),
    close,
    clv: close === null ? null : toMillionths(close / fair_probability - 1),
    no_clv: close !== null ? null : fair === undefined || isSameLine ? 'no_closing_price' : 'line_moved',
  };
}

const toMillionths = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The line of a market is that of the home side; a bet on the other side of a spread has the opposite one. */
function lineOfMarket(market: QuotedMarket, outcome: number, line: number | null): number | null {
  if (market !== 'spreads' || line === null || outcome === 0) return line;
  // Not -0: lines are compared, and stand in JSON.
  return line === 0 ? 0 : -line;
}
