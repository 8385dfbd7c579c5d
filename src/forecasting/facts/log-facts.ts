import type { PricedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { type EventFacts, foldEventFacts } from '../../intelligence/facts/event-facts.ts';
import type { RankAt } from '../../intelligence/facts/forecaster.ts';
import { comparePriceUpdates } from '../../intelligence/prices/closing-lines.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';
import { sortInTurns } from '../../platform/async/sort-in-turns.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { PlayerRankings, rankingIn } from './player-rankings.ts';
import { PriceRecords } from './price-records.ts';

/** What the log holds for forecasts, without prices. */
interface LoggedFacts {
  readonly stories: readonly EventFacts[];
  readonly rankAt: RankAt;
}

export interface FactsQuery {
  readonly isWanted: (sport: string) => boolean;
  /** Skips everything that was observed at this moment or later: milliseconds; absent: skips nothing. */
  readonly observedBefore?: number | undefined;
  /** Called with the number of records that were read so far. */
  readonly onProgress?: ((records: number) => void) | undefined;
  /** Ends the reading by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads the whole log once to find the events and the rankings, then the streams of each event. */
export async function readFacts(log: EventLog, query: FactsQuery): Promise<LoggedFacts> {
  const { isWanted, observedBefore, onProgress, signal } = query;
  const events = new Set<number>();
  const rankings = new PlayerRankings();
  let read = 0;
  for await (const page of log.readAllFrom(null, signal ? { signal } : {})) {
    for (const record of page as readonly DomainRecord[]) {
      const { type, data } = record;
      if (type === 'EventScheduled' && isWanted(data.sport)) events.add(data.eventId);
      if (type !== 'PlayerChanged' || !isWanted(data.sport)) continue;
      const ranking = rankingIn(record);
      if (ranking) rankings.add(ranking);
    }
    read += page.length;
    onProgress?.(read);
    await yieldToEventLoop();
  }
  const stories: EventFacts[] = [];
  for (const id of events) {
    const story = await readStory(log, id, { observedBefore });
    if (story) stories.push(story);
    signal?.throwIfAborted();
    await yieldToEventLoop();
  }
  return { stories, rankAt: rankings.at };
}

/** The number of price records in one read, small enough that reading delays nothing else. */
const PAGE = 256;

/**
 * The updates of an event's watched markets before a moment (milliseconds), in the order of `comparePriceUpdates`.
 * @param scope the match, or a part of it with lines of its own
 */
export async function readPrices(
  log: EventLog,
  eventId: number,
  before: number,
  scope: PricedMarket['scope'] = 'match',
): Promise<readonly PriceUpdate[]> {
  const priceRecords = new PriceRecords(scope);
  const updates: PriceUpdate[] = [];
  const stream = log.replacements.current(streams.odds(eventId));
  for (let revision = 0; ; ) {
    const records = (await log.readStream(stream, {
      fromRevision: revision,
      limit: PAGE,
    })) as readonly DomainRecord[];
    if (records.length === 0) break;
    for (const record of records) {
      const update = priceRecords.read(record);
      if (update && update.at < before) updates.push(update);
    }
    revision += records.length;
    await yieldToEventLoop();
  }
  return sortInTurns(updates, comparePriceUpdates);
}

interface StoryQuery {
  readonly isCounted?: (record: DomainRecord) => boolean;
  /** Skips everything that was observed at this moment or later: milliseconds; absent: skips nothing. */
  readonly observedBefore?: number | undefined;
}

/** The facts of one event, from its streams; null if its start is not known. */
export async function readStory(
  log: Pick<EventLog, 'readStreams' | 'replacements'>,
  id: number,
  { isCounted = () => true, observedBefore }: StoryQuery = {},
): Promise<EventFacts | null> {
  const names = [streams.event(id), streams.box(id), streams.lineup(id)];
  const records = (await log.readStreams(names.map((name) => log.replacements.current(name)))).flat();
  return foldEventFacts((records as DomainRecord[]).filter(isCounted), {
    before: observedBefore,
    pause: yieldToEventLoop,
    sort: sortInTurns,
  });
}
