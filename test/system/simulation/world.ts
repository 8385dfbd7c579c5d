import type { Delay } from '../../../src/platform/async/retry.ts';
import type { SetTimer } from '../../../src/platform/async/timer.ts';
import { type Random, randomOf } from '../../api/fuzz/random.ts';

/** A process of the simulated world. Once it is dead, nothing of it happens any more. */
export interface Owner {
  readonly name: string;
  alive: boolean;
}

interface Item {
  readonly due: number;
  /** Of what is due at one moment, chance says what comes first. */
  readonly tie: number;
  readonly owner: Owner | null;
  readonly label: string;
  run: (() => void) | undefined;
}

/** A broken promise of the code under test. */
export class Violation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Violation';
  }
}

/** How long things take, in milliseconds of the world's time. */
export interface Latency {
  readonly usual: number;
  readonly longest: number;
}

/**
 * Time, chance and the order of everything. Whatever waits, waits here: for its turn among all others, at a time that
 * the seed decides. Between two steps all promises that can go on have gone on.
 */
export class World {
  readonly random: Random;
  readonly seed: number;
  /** Lines of what happened, where somebody wants to read them. */
  readonly lines: string[] | undefined;
  latency: Latency = { usual: 0, longest: 0 };
  /** Steps of processes so far: every start and every end of a call of a port, every timer, every commit. */
  awaits = 0;
  steps = 0;
  /** The step of a process at which that process dies instead of taking it. */
  crashAt = 0;
  /** Timers of polls and of retries go off after this share of their time. */
  haste = 1;
  onCrash: (owner: Owner) => void = () => {};
  /** Grows from every step: two runs that are the same have the same one. */
  digest = 0;
  #now = 0;
  #heap: Item[] = [];
  #failure: Violation | undefined;

  constructor(seed: number, traced = false) {
    this.seed = seed;
    this.random = randomOf(seed);
    this.lines = traced ? [] : undefined;
  }

  readonly now = (): number => this.#now;

  note(text: () => string): void {
    this.lines?.push(`${String(this.#now).padStart(7)} ${text()}`);
  }

  /** Ends the run. Also where the code under test would catch what is thrown. */
  fail(message: string): never {
    this.failed(message);
    throw this.#failure;
  }

  /** For what must not happen in a promise that nobody waits for. */
  readonly failed = (error: unknown): void => {
    this.#failure ??= error instanceof Violation ? error : new Violation(describe(error));
    this.note(() => `FAILED: ${this.#failure!.message}`);
  };

  check(holds: boolean, message: () => string): void {
    if (!holds) this.fail(message());
  }

  /** How long something takes this time. Often no time, so that much happens at one moment, in any order. */
  someTime(): number {
    const { random, latency } = this;
    if (random.chance(0.5)) return 0;
    return random.below((random.chance(0.05) ? latency.longest : latency.usual) + 1);
  }

  /** Returns what takes it back. */
  schedule(owner: Owner | null, label: string, milliseconds: number, run: () => void): () => void {
    const due = this.#now + Math.max(0, milliseconds);
    const item: Item = { due, tie: this.random.below(2 ** 30), owner, label, run };
    this.#push(item);
    return () => {
      item.run = undefined;
    };
  }

  timerOf(owner: Owner, label: string, count = { set: 0 }, share = this.haste): SetTimer {
    return (callback, milliseconds) => {
      count.set++;
      let isOver = false;
      const over = () => {
        if (!isOver) count.set--;
        isOver = true;
      };
      const cancel = this.schedule(owner, label, milliseconds * share, () => {
        over();
        callback();
      });
      return () => {
        over();
        cancel();
      };
    };
  }

  delayOf(owner: Owner): Delay {
    return (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => {
          cancel();
          reject(signal.reason);
        };
        const cancel = this.schedule(owner, 'delay', milliseconds * this.haste, () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        });
        signal.addEventListener('abort', onAbort, { once: true });
      });
  }

  /** Resolves after some time of the world. Not at all when the owner is dead by then. */
  pause(owner: Owner | null, label: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.schedule(owner, label, milliseconds, resolve));
  }

  /** Takes the next step. False when there is none. */
  async step(): Promise<boolean> {
    const item = this.#pop();
    if (!item) {
      // Whoever called before this step may just be about to ask for one.
      await turn();
      return this.#heap.length > 0;
    }
    const { run, owner } = item;
    if (!run || owner?.alive === false) return true;
    this.#now = Math.max(this.#now, item.due);
    this.steps++;
    this.digest = (Math.imul(this.digest, 31) + item.tie + item.due) | 0;
    this.note(() => `${owner?.name ?? '-'} ${item.label}`);
    try {
      if (owner && ++this.awaits === this.crashAt) this.onCrash(owner);
      else run();
    } catch (error) {
      this.failed(error);
    }
    await turn();
    if (this.#failure) throw this.#failure;
    return true;
  }

  #push(item: Item): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isSooner(item, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = item;
  }

  #pop(): Item | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isSooner(heap[child + 1]!, heap[child]!)) child++;
      if (!isSooner(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const isSooner = (a: Item, b: Item): boolean => a.due < b.due || (a.due === b.due && a.tie < b.tie);

export const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : `${error}`;
