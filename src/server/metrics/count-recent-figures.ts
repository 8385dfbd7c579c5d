import { HOUR, MINUTE } from '../../domain/primitives/time.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { CountedSpan, DiskSample, RecentFigures } from '../../web/account/admin/recent-figures.ts';

/** Counts since the start of the process. */
export type Counts = Pick<CountedSpan, 'calls' | 'errors' | 'attempts' | 'failedAttempts'>;

interface RecentFiguresParts {
  readonly readCounts: () => Counts;
  /** What the data folder takes; null: there is none. */
  readonly readDiskBytes: () => Promise<number | null>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/** A minute each, of an hour. */
export const MAX_SPANS = 60;
/** An hour apart, of seven days. */
export const MAX_DISK_SAMPLES = 7 * 24;

/**
 * Looks at the counts once a minute, and keeps what changed. It takes some 20 kB, however long it runs: the number of
 * spans and samples is fixed, and each is a few numbers.
 */
export function createRecentFigures({ readCounts, readDiskBytes, now, setTimer, onError }: RecentFiguresParts) {
  const spans: CountedSpan[] = [];
  const disk: DiskSample[] = [];
  let newest: DiskSample | undefined;
  let before = { at: now(), counts: readCounts() };
  let isClosed = false;
  let cancel = (): void => {};

  function count(): void {
    const [at, counts] = [now(), readCounts()];
    const length = at - before.at;
    // The clock was set back: what happened in which minute is not known.
    if (length > 0) {
      const grown = (of: keyof Counts): number => counts[of] - before.counts[of];
      spans.push({
        ...{ at, length, calls: grown('calls'), errors: grown('errors') },
        ...{ attempts: grown('attempts'), failedAttempts: grown('failedAttempts') },
      });
      if (spans.length > MAX_SPANS) spans.shift();
    }
    before = { at, counts };
  }

  async function measure(): Promise<void> {
    const bytes = await readDiskBytes();
    if (bytes === null) return;
    newest = { at: now(), bytes };
    const last = disk.at(-1);
    if (last && newest.at - last.at < HOUR) return;
    disk.push(newest);
    if (disk.length > MAX_DISK_SAMPLES) disk.shift();
  }

  function lookLater(): void {
    cancel = setTimer(() => {
      count();
      void look();
    }, MINUTE);
  }

  async function look(): Promise<void> {
    await measure().catch(onError);
    if (!isClosed) lookLater();
  }
  void look();

  return {
    figures: (): RecentFigures => ({
      spans: [...spans],
      disk: newest === undefined || newest === disk.at(-1) ? [...disk] : [...disk, newest],
    }),
    close(): void {
      isClosed = true;
      cancel();
    },
  };
}
