import { advancePositions } from '../../domain/event-sourcing/position.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { IntakeItem, IntakeResult } from '../intake/intake.ts';
import type { CheckedMessage } from './intake-batch.ts';

/** What is taken at once: more comes in parts, so that others' messages go in between, and no append is long. */
const PART_MESSAGES = 50;
const PART_BYTES = 256 * 1024;
/** Who sends no more than this goes before those who send more: a tick does not wait for a file. */
const SMALL_SENDER_MESSAGES = 10;
/** So many of these are taken together. */
const MAX_SMALL_TOGETHER = 200;
/** While these come, parts of more go with every so many of the batches. */
const LARGE_EVERY = 4;
/** After so many batches without such a sender nobody seems to wait, and so many parts of more are taken together. */
const QUIET_BATCHES = 10;
const LARGE_TOGETHER = 20;
/** Messages of a part while those of few come, where a file gives way to them. */
const PART_BESIDE_SMALL = 25;
/** Milliseconds for which the process must have had nothing to do between two parts of more, while those of few come. */
const IDLE_BETWEEN = 3;
/** Milliseconds between two looks at that; and so many looks at most: a file gets on also where nothing is ever idle. */
const IDLE_POLL_INTERVAL = 10;
const MAX_IDLE_POLLS = 20;

export interface SenderQueueOptions {
  /** Waits this many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Milliseconds that this process has had nothing to do, counted from any moment; without it no file gives way. */
  readonly idle?: () => number;
  /** Messages that are taken at once; default 50. Where nobody else waits, more of them share one durable commit. */
  readonly partMessages?: number;
}

/** What is done with the messages. */
interface SenderQueueWork {
  /** Looks them over, before it is their turn. */
  check(items: readonly IntakeItem[]): Promise<readonly CheckedMessage[]>;
  /** Brings them into the log. @returns the outcomes in their order */
  ingest(messages: readonly CheckedMessage[]): Promise<IntakeResult>;
  /** What follows before the next are taken; the senders do not wait for it. */
  afterBatch(): Promise<void>;
}

/** What one sender has sent at once, or a part of it. */
interface SenderPart {
  readonly count: number;
  /** It is all that its sender has sent, and little: it may go before others. Parts of one sender keep their order. */
  readonly isSmall: boolean;
  readonly checked: Promise<readonly CheckedMessage[]>;
  readonly resolve: (taken: IntakeResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Those who send messages at the same time: whose are taken next, and with whose. */
export class SenderQueue {
  readonly #work: SenderQueueWork;
  readonly #options: SenderQueueOptions;
  /** What has been sent and is not being taken yet, in the order of arrival. */
  #parts: SenderPart[] = [];
  /** Batches that were taken since the last that had a large part. */
  #sinceLarge = 0;
  /** Batches that were taken since somebody last sent few messages. */
  #quiet = 0;
  /** Batches are taken one after another: each decides on what the one before has appended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(work: SenderQueueWork, options: SenderQueueOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Whether somebody sends few messages at a time now, who is to be answered soon. */
  get hasSmallSenders(): boolean {
    return this.#quiet < QUIET_BATCHES;
  }

  /** Does this when all that was sent before has been taken; nothing is taken meanwhile. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** As `Intake` has it. */
  async accept(items: readonly IntakeItem[]): Promise<IntakeResult> {
    const { idle, partMessages = idle && this.hasSmallSenders ? PART_BESIDE_SMALL : PART_MESSAGES } = this.#options;
    const parts = [...partsOf(items, partMessages)];
    const isFew = parts.length === 1 && items.length <= SMALL_SENDER_MESSAGES;
    let checked: Promise<unknown> = Promise.resolve();
    const sent: Promise<IntakeResult>[] = [];
    for (const part of parts) {
      // Not before the first: what a source sends at a time may be some parts, and is no file.
      const before = sent.at(-1);
      if (before && this.hasSmallSenders) await this.#untilIdle(before);
      // At once: what was sent before may be waiting for the disk. One after another, as they are taken.
      const own = checked.then(() => this.#work.check(part));
      checked = own;
      const one = this.#acceptPart(part.length, own, isFew);
      // Whoever fails while the others wait is told of below.
      one.catch(() => {});
      sent.push(one);
    }
    const taken = await Promise.all(sent);
    const positions = new Map<string, bigint>();
    for (const one of taken) advancePositions(positions, one.positions);
    return { outcomes: taken.flatMap(({ outcomes }) => outcomes), positions };
  }

  /**
   * Lets those of few messages have what they need, and all that follows from what was sent: without it a file takes every
   * moment in which nothing else is to be done, and whatever comes in the next waits for its part, and for its read models.
   */
  async #untilIdle(before: Promise<unknown>): Promise<void> {
    const { idle, pause } = this.#options;
    if (!idle) return;
    await before.catch(() => {});
    const begun = idle();
    for (let looks = 0; looks < MAX_IDLE_POLLS && this.hasSmallSenders && idle() - begun < IDLE_BETWEEN; looks++) {
      await pause(IDLE_POLL_INTERVAL);
    }
  }

  #acceptPart(count: number, checked: Promise<readonly CheckedMessage[]>, isSmall: boolean): Promise<IntakeResult> {
    return new Promise((resolve, reject) => {
      this.#parts.push({ count, isSmall, checked, resolve, reject });
      this.inTurn(async () => {
        await this.#takeParts();
        await this.#work.afterBatch();
      }).catch(() => {});
    });
  }

  /** Takes what has come meanwhile together: it shares one durable commit, however long the disk takes for one. */
  async #takeParts(): Promise<void> {
    const parts = this.#nextParts();
    if (parts.length === 0) return;
    try {
      await this.#takeTogether(parts);
    } catch (error) {
      // What fails for one sender's messages must not fail for the others'.
      for (const part of parts.length > 1 ? parts : []) await this.#takeTogether([part]).catch(part.reject);
      if (parts.length === 1) parts[0]!.reject(error);
    }
  }

  /** Those of few messages, and now and then parts of more: neither waits for ever. */
  #nextParts(): readonly SenderPart[] {
    const few = this.#parts.filter(({ isSmall }) => isSmall).slice(0, MAX_SMALL_TOGETHER);
    const large = this.#parts.filter(({ isSmall }) => !isSmall).slice(0, this.#mostLarge(few.length > 0));
    const next = new Set([...few, ...large]);
    if (next.size > 0) this.#quiet = few.length > 0 ? 0 : this.#quiet + 1;
    this.#sinceLarge = large.length > 0 ? 0 : this.#sinceLarge + 1;
    this.#parts = this.#parts.filter((part) => !next.has(part));
    return [...next];
  }

  #mostLarge(hasSmallSenders: boolean): number {
    if (hasSmallSenders) return this.#sinceLarge + 1 < LARGE_EVERY ? 0 : 1;
    return this.hasSmallSenders ? 1 : LARGE_TOGETHER;
  }

  async #takeTogether(parts: readonly SenderPart[]): Promise<void> {
    const messages = (await Promise.all(parts.map(({ checked }) => checked))).flat();
    const { outcomes, positions } = await this.#work.ingest(messages);
    let first = 0;
    for (const { count, resolve } of parts) {
      resolve({ outcomes: outcomes.slice(first, first + count), positions });
      first += count;
    }
  }
}

/** Messages in the order of arrival, so many at once that none of what is done with a part takes long. */
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
