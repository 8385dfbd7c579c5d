import { type DomainRecord, streams } from '../domain/domain-events.ts';
import type { PricedMarket } from '../domain/prices.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { EventStory } from '../intelligence/facts/event-story.ts';
import type { RankAt } from '../intelligence/facts/forecaster.ts';
import { compareTold } from '../intelligence/prices/closing-lines.ts';
import type { ToldPrice } from '../intelligence/prices/quote-board.ts';
import { breathe } from '../platform/time/breathe.ts';
import { Rankings, rankingIn } from './rankings.ts';
import { readStory } from './read-story.ts';
import { ToldRecords } from './told-records.ts';

/** What the log holds for forecasts, without prices. */
export interface LoggedFacts {
  readonly stories: readonly EventStory[];
  readonly rankAt: RankAt;
}

export interface FactsAsked {
  readonly isAsked: (sport: string) => boolean;
  /** What was observed at this moment or later is not looked at: milliseconds; absent: all is. */
  readonly toldBefore?: number | undefined;
  /** Hears how many records are read so far. */
  readonly onProgress?: ((records: number) => void) | undefined;
  /** Ends the reading by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Reads the log once for who is in it, then the streams of each event. */
export async function readFacts(log: EventLog, asked: FactsAsked): Promise<LoggedFacts> {
  const { isAsked, toldBefore, onProgress, signal } = asked;
  const events = new Set<number>();
  const rankings = new Rankings();
  let read = 0;
  for await (const page of log.readAllFrom(null, signal ? { signal } : {})) {
    for (const record of page as readonly DomainRecord[]) {
      const { type, data } = record;
      if (type === 'EventScheduled' && isAsked(data.sport)) events.add(data.eventId);
      if (type !== 'PlayerChanged' || !isAsked(data.sport)) continue;
      const ranking = rankingIn(record);
      if (ranking) rankings.take(ranking);
    }
    read += page.length;
    onProgress?.(read);
    await breathe();
  }
  const stories: EventStory[] = [];
  for (const id of events) {
    const story = await readStory(log, id, { toldBefore });
    if (story) stories.push(story);
    signal?.throwIfAborted();
    await breathe();
  }
  return { stories, rankAt: rankings.at };
}

/** So many records of prices are read at once: few enough that reading them holds nobody up. */
const PAGE = 256;

/**
 * What bookmakers told of an event's main lines before a moment (milliseconds), in the order of `compareTold`.
 * @param scope of the match, or of the part of it that has lines of its own
 */
export async function readPrices(
  log: EventLog,
  eventId: number,
  before: number,
  scope: PricedMarket['scope'] = 'match',
): Promise<readonly ToldPrice[]> {
  const reading = new ToldRecords(scope);
  const told: ToldPrice[] = [];
  for (let revision = 0; ; ) {
    const records = (await log.readStream(streams.odds(eventId), {
      fromRevision: revision,
      limit: PAGE,
    })) as readonly DomainRecord[];
    if (records.length === 0) break;
    for (const record of records) {
      const one = reading.take(record);
      if (one && one.at < before) told.push(one);
    }
    revision += records.length;
    await breathe();
  }
  return told.sort(compareTold);
}
