import { createHash } from 'node:crypto';
import { REFERENCE_WEIGHTS_STREAM, type ReferenceWeightsLearnt } from '../../domain/odds/reference-weights.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { parseDate } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';

/** Weights that are in force from a moment on, until others of the sport follow. */
interface DatedWeights extends Pick<ReferenceWeightsLearnt, 'sport' | 'date' | 'weights'> {
  /** Milliseconds. */
  readonly from: number;
  /** When the log got them: milliseconds. */
  readonly recordedAt: number;
  /** Of a book: the weight of the configuration where nothing was learnt of it. */
  readonly weightOf: SharpWeight;
  /** Differs whenever the date or the weights differ. */
  readonly mark: string;
}

/**
 * The weights of reference books that a log has learnt, a few hundred bytes for each sport and month. Months of the past
 * may come to the log later than newer ones. A month that is in it already stays as it is.
 */
export interface LearntWeights {
  /**
   * What was in force for a sport at a moment (milliseconds); undefined: nothing was learnt.
   * @param recordedBy only what the log had by then counts: milliseconds; unless told, all that it has
   */
  at(sport: string, moment: number, recordedBy?: number): DatedWeights | undefined;
  /** What is in force for every sport, by sport. */
  allAt(moment: number): readonly DatedWeights[];
  /** The earliest of a sport. */
  oldest(sport: string): DatedWeights | undefined;
  /** The newest of a sport, in force or soon to be. */
  newest(sport: string): DatedWeights | undefined;
  /** Differs whenever those up to a moment (milliseconds) differ that the log had by another one. */
  versionAt(sport: string, moment: number, recordedBy?: number): string;
  /** How many facts of the log it has read. */
  readonly known: number;
  /** Reads what has come to the log. Rejects with errors of the log. */
  refresh(): Promise<void>;
  /**
   * Calls back with the sports of which weights have come that were in force already. No call tells of what was there at
   * the first reading, nor of what comes into force by its date.
   * @returns ends it
   */
  onChanged(listener: (sports: readonly string[]) => void): () => void;
  /** Notifies the listeners of what has come since the last time. @param now milliseconds */
  notifyChanges(now: number): void;
}

/** @param constants the weights of the configuration, by book */
export function createLearntWeights(
  log: Pick<EventLog, 'readStream'>,
  constants: Readonly<Record<string, number>>,
): LearntWeights {
  /** By date. */
  const bySport = new Map<string, DatedWeights[]>();
  /** Since the last time that the listeners were told. */
  const news: { readonly sport: string; readonly from: number }[] = [];
  const listeners = new Set<(sports: readonly string[]) => void>();
  let known = 0;
  let hasRead = false;
  let reading: Promise<void> | undefined;

  function note({ sport, date, weights }: ReferenceWeightsLearnt, recordedAt: number): void {
    const ofSport = bySport.get(sport) ?? [];
    const from = parseDate(date)!;
    const place = ofSport.findLastIndex((one) => one.from <= from);
    if (ofSport[place]?.from === from) return;
    const weightOf = (book: string): number => ownValue(weights, book) ?? ownValue(constants, book) ?? 0;
    const mark = markOf(JSON.stringify([date, weights]));
    ofSport.splice(place + 1, 0, { sport, date, weights, from, recordedAt, weightOf, mark });
    bySport.set(sport, ofSport);
    if (hasRead) news.push({ sport, from });
  }

  async function readNew(): Promise<void> {
    for await (const page of readStreamPages(log, REFERENCE_WEIGHTS_STREAM, known)) {
      for (const { data, recordedAt } of page) note(data as ReferenceWeightsLearnt, Date.parse(recordedAt));
      known += page.length;
    }
    hasRead = true;
  }

  const at: LearntWeights['at'] = (sport, moment, recordedBy = Number.POSITIVE_INFINITY) =>
    bySport.get(sport)?.findLast(({ from, recordedAt }) => from <= moment && recordedAt <= recordedBy);
  return {
    at,
    allAt: (moment) => [...bySport.keys()].sort().flatMap((sport) => at(sport, moment) ?? []),
    oldest: (sport) => bySport.get(sport)?.[0],
    newest: (sport) => bySport.get(sport)?.at(-1),
    versionAt(sport, moment, recordedBy = Number.POSITIVE_INFINITY) {
      const counted = bySport
        .get(sport)
        ?.filter(({ from, recordedAt }) => from <= moment && recordedAt <= recordedBy)
        .map(({ mark }) => mark);
      return counted?.length ? markOf(counted.join(' ')) : '';
    },
    get known() {
      return known;
    },
    refresh() {
      reading ??= readNew().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notifyChanges(now) {
      const sports = new Set(news.filter(({ from }) => from <= now).map(({ sport }) => sport));
      news.length = 0;
      if (sports.size > 0) for (const listener of listeners) listener([...sports]);
    },
  };
}

const markOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);
