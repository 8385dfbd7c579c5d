import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { DAY, HOUR, MINUTE } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';
import { type ArchivedStream, type LogArchiverOptions, openLogArchiver } from '../../event-log/sqlite/log-archiver.ts';
import { type Delay, realDelay } from '../../platform/async/retry.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Environment } from '../composition/environment.ts';
import type { Ports } from '../composition/ports.ts';

const PREFIX = 'odds-';
/** The first run waits, since a start has much to do. */
const FIRST_AFTER = 5 * MINUTE;
const EVERY = HOUR;
/** The pause between two transactions, so that others get their turn. In milliseconds. */
const BREATH = 20;
/**
 * Every 24th run begins at the first stream. The others begin behind the last stream whose event was over, so a late
 * record of an older stream waits for such a full run.
 */
const LOOK_AT_ALL_EVERY = 24;

interface OddsRetentionParts extends Pick<LogArchiverOptions, 'file' | 'archive' | 'newId'> {
  /** How long the odds of a finished event stay in the log's own file, before they move to the archive file. */
  readonly days: number;
  readonly ports: Pick<Ports, 'clock' | 'disk'> & { readonly store: Pick<ReadStore, 'getMany'> };
  readonly environment: Pick<Environment, 'flush' | 'logger' | 'pace'>;
  readonly delay?: Delay;
}

/** Moves the odds of events that ended long ago into the archive, from time to time. */
export interface OddsRetention {
  start(): void;
  /** Runs one round now. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export async function openOddsRetention(parts: OddsRetentionParts): Promise<OddsRetention> {
  const { days, ports, environment, delay = realDelay } = parts;
  const { clock, disk, store } = ports;
  const { logger, pace, flush } = environment;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Check the clock each time: if it has jumped, odds of today may look old.
  const mayGoOn = () => !signal.aborted && clock.isOpen;
  const pause = () => delay(BREATH, signal);
  const archiver = await openLogArchiver({
    ...parts,
    flush,
    pause,
    mayGoOn,
    watch: disk?.watch,
    failed: (file, error) => (disk ? disk.failed(file, error) : error),
  });
  let runs = 0;
  /** The next run begins behind this stream: the odds up to it are archived. */
  let doneTo = 0;
  let cancelTimer = (): void => {};
  let running: Promise<void> = Promise.resolve();

  async function moveAll(): Promise<void> {
    if (runs++ % LOOK_AT_ALL_EVERY === 0) doneTo = 0;
    const total = { streams: 0, records: 0, bytes: 0, archivedBytes: 0 };
    let isAllDone = true;
    for (let after: number | null = doneTo; after !== null && mayGoOn(); ) {
      const { streams, next } = archiver.streamsAfter(after, PREFIX);
      const [due, others] = await dueOf(streams);
      isAllDone &&= others.length === 0;
      await moveThese(due, total);
      after = next;
      await pause();
      if (mayGoOn() && isAllDone && next !== null) doneTo = next;
    }
    if (total.records === 0) return;
    const { streams, records, bytes, archivedBytes } = total;
    logger.info({ streams, records, bytes, archived_bytes: archivedBytes }, 'moved odds of past events to the archive');
  }

  async function moveThese(
    due: readonly ArchivedStream[],
    total: { streams: number; records: number; bytes: number; archivedBytes: number },
  ): Promise<void> {
    total.streams += due.length;
    for (let isPart = due.length > 0; isPart && mayGoOn(); ) {
      const moved = await archiver.move(due.map(({ name }) => name));
      ({ isPart } = moved);
      total.records += moved.records;
      total.bytes += moved.bytes;
      total.archivedBytes += moved.archivedBytes;
    }
  }

  /** Streams to move now, and streams to look at again. */
  async function dueOf(streams: readonly ArchivedStream[]): Promise<[due: ArchivedStream[], others: ArchivedStream[]]> {
    const until = clock.now() - days * DAY;
    const whole = streams.filter(({ isArchived }) => !isArchived);
    const keys = whole.map(({ name }) => name.slice(PREFIX.length));
    const documents = await store.getMany<EventDocument>(events.name, keys);
    const isDue = whole.map(
      ({ lastRecordedAt }, index) => lastRecordedAt < until && isPast(documents[index]?.document, until),
    );
    return [whole.filter((_, index) => isDue[index]), whole.filter((_, index) => !isDue[index])];
  }

  async function run(): Promise<void> {
    try {
      await moveAll();
    } catch (error) {
      // The disk guard has reported it.
      if (signal.aborted || error instanceof UnavailableError) return;
      logger.error({ err: error }, 'odds of past events could not be moved to the archive; it is tried again');
    }
  }

  function after(milliseconds: number): void {
    cancelTimer = pace.setTimer(() => {
      running = run().then(() => {
        if (!signal.aborted) after(EVERY);
      });
    }, milliseconds);
  }

  return {
    start: () => after(FIRST_AFTER),
    run,
    async stop() {
      stopping.abort();
      cancelTimer();
      await running;
      archiver.close();
    },
  };
}

/** Whether the event is over, or began before this time without a known end. Without a document only the age counts. */
const isPast = (document: EventDocument | undefined, until: number): boolean => {
  if (!document || isOver(document.event.status)) return true;
  const start = document.event.schedule?.starts_at;
  return start !== undefined && Date.parse(start) < until;
};
