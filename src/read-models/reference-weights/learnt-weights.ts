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
  /** Of a book: the weight of the configuration where nothing was learnt of it. */
  readonly weightOf: SharpWeight;
  /** Of these weights and all before them. */
  readonly version: string;
}

/** The weights of reference books that a log has learnt, a few hundred bytes for each sport and month. */
export interface LearntWeights {
  /** What was in force for a sport at a moment (milliseconds); undefined: nothing was learnt yet. */
  at(sport: string, moment: number): DatedWeights | undefined;
  /** What is in force for every sport, by sport. */
  allAt(moment: number): readonly DatedWeights[];
  /** The newest of a sport, in force or soon to be. */
  newest(sport: string): DatedWeights | undefined;
  /** Differs whenever those up to a moment (milliseconds) differ. */
  versionAt(sport: string, moment: number): string;
  /** How many facts of the log it has read. */
  readonly known: number;
  /** Reads what has come to the log. Rejects with errors of the log. */
  refresh(): Promise<void>;
}

/** @param constants the weights of the configuration, by book */
export function createLearntWeights(
  log: Pick<EventLog, 'readStream'>,
  constants: Readonly<Record<string, number>>,
): LearntWeights {
  /** By date. */
  const bySport = new Map<string, DatedWeights[]>();
  let known = 0;
  let reading: Promise<void> | undefined;

  function note({ sport, date, weights }: ReferenceWeightsLearnt): void {
    const ofSport = bySport.get(sport) ?? [];
    const before = ofSport.at(-1);
    const from = parseDate(date)!;
    if (before && before.from >= from) return;
    const weightOf = (book: string): number => ownValue(weights, book) ?? ownValue(constants, book) ?? 0;
    const version = createHash('sha256')
      .update(JSON.stringify([before?.version, date, weights]))
      .digest('base64url');
    ofSport.push({ sport, date, weights, from, weightOf, version: version.slice(0, 12) });
    bySport.set(sport, ofSport);
  }

  async function readNew(): Promise<void> {
    for await (const page of readStreamPages(log, REFERENCE_WEIGHTS_STREAM, known)) {
      for (const { data } of page) note(data as ReferenceWeightsLearnt);
      known += page.length;
    }
  }

  const at = (sport: string, moment: number): DatedWeights | undefined =>
    bySport.get(sport)?.findLast(({ from }) => from <= moment);
  return {
    at,
    allAt: (moment) => [...bySport.keys()].sort().flatMap((sport) => at(sport, moment) ?? []),
    newest: (sport) => bySport.get(sport)?.at(-1),
    versionAt: (sport, moment) => at(sport, moment)?.version ?? '',
    get known() {
      return known;
    },
    refresh() {
      reading ??= readNew().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}
