import { advancePositions } from '../../domain/event-sourcing/position.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { IntakeItem, IntakeResult } from '../intake/intake.ts';
import type { CheckedMessage } from './intake-batch.ts';

/** Size of a part. Larger input is split, so that messages of others go in between and no append is long. */
const PART_MESSAGES = 50;
const PART_BYTES = 256 * 1024;
/** A sender with no more messages than this goes before larger senders: a tick must not wait for a file. */
const SMALL_SENDER_MESSAGES = 10;
/** Maximum small parts in one batch. */
const MAX_SMALL_TOGETHER = 200;
/** While small senders are active, every so many batches include a part of a large sender. */
const BATCHES_PER_LARGE = 4;
/**
 * After so many batches without a small sender, the small senders count as inactive, and so many large parts share a
 * batch.
 */
const QUIET_BATCHES = 10;
const LARGE_TOGETHER = 20;
/** Messages in a part of a large sender while small senders are active. */
const PART_MESSAGES_WITH_SMALL = 25;
/** Milliseconds for which the process must be idle between two large parts while small senders are active. */
const IDLE_BETWEEN = 3;
/**
 * Milliseconds between two checks of the idle time, and the maximum number of checks: a file must progress even if the
 * process is never idle.
 */
const IDLE_POLL_INTERVAL = 10;
const MAX_IDLE_POLLS = 20;

export interface SenderQueueOptions {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds that this process has been idle, counted from any moment. Without it, large senders never wait. */
  readonly idle?: () => number;
  /** Messages in a part; default 50. If nobody else waits, more of them share one durable commit. */
  readonly partMessages?: number;
}

/** The work that the queue schedules. */
interface SenderQueueWork {
  /** Checks messages before their turn. */
  check(items: readonly IntakeItem[]): Promise<readonly CheckedMessage[]>;
  /**
   * Brings messages into the log.
   * @returns the outcomes in the order of the messages
   */
  ingest(messages: readonly CheckedMessage[]): Promise<IntakeResult>;
  /** Runs before the next batch. The senders do not wait for it. */
  afterBatch(): Promise<void>;
}

/** The messages of one call, or a part of them. */
interface SenderPart {
  readonly count: number;
  /** The call is small and this part is all of it: it may go before others. Parts of one call keep their order. */
  readonly isSmall: boolean;
  readonly checked: Promise<readonly CheckedMessage[]>;
  readonly resolve: (results: IntakeResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Schedules concurrent senders: which parts share the next batch. */
export class SenderQueue {
  readonly #work: SenderQueueWork;
  readonly #options: SenderQueueOptions;
  /** Parts that wait, in the order of arrival. */
  #parts: SenderPart[] = [];
  /** Batches since the last one with a large part. */
  #batchesSinceLarge = 0;
  /** Batches since the last one with a small part. */
  #batchesSinceSmall = 0;
  /** Batches run one after another: each decides on what the one before has appended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(work: SenderQueueWork, options: SenderQueueOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Whether some sender sends few messages at a time now, and must be answered soon. */
  get hasSmallSenders(): boolean {
    return this.#batchesSinceSmall < QUIET_BATCHES;
  }

  /** Runs the work once everything sent before is done. No batch runs meanwhile. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** See `Intake.accept`. */
  async accept(items: readonly IntakeItem[]): Promise<IntakeResult> {
    const { idle, partMessages = idle && this.hasSmallSenders ? PART_MESSAGES_WITH_SMALL : PART_MESSAGES } =
      this.#options;
    const parts = [...partsOf(items, partMessages)];
    const isSmall = parts.length === 1 && items.length <= SMALL_SENDER_MESSAGES;
    let checked: Promise<unknown> = Promise.resolve();
    const sent: Promise<IntakeResult>[] = [];
    for (const part of parts) {
      // Not before the first part: a normal message of a source may be some parts long without being a file.
      const previous = sent.at(-1);
      if (previous && this.hasSmallSenders) await this.#untilIdle(previous);
      // Check now, while the parts before may wait for the disk. One part after another, in the order of the batches.
      const checking = checked.then(() => this.#work.check(part));
      checked = checking;
      const one = this.#acceptPart(part.length, checking, isSmall);
      // `Promise.all` below reports the error.
      one.catch(() => {});
      sent.push(one);
    }
    const results = await Promise.all(sent);
    const positions = new Map<string, bigint>();
    for (const one of results) advancePositions(positions, one.positions);
    return { outcomes: results.flatMap(({ outcomes }) => outcomes), positions };
  }

  /**
   * Waits until small senders, and the work that follows from their messages, have what they need. Otherwise a file
   * takes every idle moment, and a message that comes in the next moment waits for a part of the file and for its read
   * models.
   */
  async #untilIdle(previous: Promise<unknown>): Promise<void> {
    const { idle, pause } = this.#options;
    if (!idle) return;
    await previous.catch(() => {});
    const idleAtStart = idle();
    for (
      let polls = 0;
      polls < MAX_IDLE_POLLS && this.hasSmallSenders && idle() - idleAtStart < IDLE_BETWEEN;
      polls++
    ) {
      await pause(IDLE_POLL_INTERVAL);
    }
  }

  #acceptPart(count: number, checked: Promise<readonly CheckedMessage[]>, isSmall: boolean): Promise<IntakeResult> {
    return new Promise((resolve, reject) => {
      this.#parts.push({ count, isSmall, checked, resolve, reject });
      this.inTurn(async () => {
        await this.#ingestNext();
        await this.#work.afterBatch();
      }).catch(() => {});
    });
  }

  /**
   * Ingests the parts that have come meanwhile in one batch: they share one durable commit, however slow the disk is.
   */
  async #ingestNext(): Promise<void> {
    const parts = this.#nextParts();
    if (parts.length === 0) return;
    try {
      await this.#ingestTogether(parts);
    } catch (error) {
      // A failure of one sender's messages must not fail the others.
      for (const part of parts.length > 1 ? parts : []) await this.#ingestTogether([part]).catch(part.reject);
      if (parts.length === 1) parts[0]!.reject(error);
    }
  }

  /** Small parts, and now and then large parts: neither waits for ever. */
  #nextParts(): readonly SenderPart[] {
    const small = this.#parts.filter(({ isSmall }) => isSmall).slice(0, MAX_SMALL_TOGETHER);
    const large = this.#parts.filter(({ isSmall }) => !isSmall).slice(0, this.#maxLargeParts(small.length > 0));
    const next = new Set([...small, ...large]);
    if (next.size > 0) this.#batchesSinceSmall = small.length > 0 ? 0 : this.#batchesSinceSmall + 1;
    this.#batchesSinceLarge = large.length > 0 ? 0 : this.#batchesSinceLarge + 1;
    this.#parts = this.#parts.filter((part) => !next.has(part));
    return [...next];
  }

  #maxLargeParts(hasSmallSenders: boolean): number {
    if (hasSmallSenders) return this.#batchesSinceLarge + 1 < BATCHES_PER_LARGE ? 0 : 1;
    return this.hasSmallSenders ? 1 : LARGE_TOGETHER;
  }

  async #ingestTogether(parts: readonly SenderPart[]): Promise<void> {
    const messages = (await Promise.all(parts.map(({ checked }) => checked))).flat();
    const { outcomes, positions } = await this.#work.ingest(messages);
    let first = 0;
    for (const { count, resolve } of parts) {
      resolve({ outcomes: outcomes.slice(first, first + count), positions });
      first += count;
    }
  }
}

/** Splits messages, in the order of arrival, into parts that take little time each. */
function* partsOf(items: readonly IntakeItem[], messages: number): Generator<readonly IntakeItem[]> {
  let part: IntakeItem[] = [];
  let bytes = 0;
  for (const item of items) {
    part.push(item);
    bytes += 'text' in item ? item.text.length : memorySize(item.value);
    if (part.length < messages && bytes < PART_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
}
