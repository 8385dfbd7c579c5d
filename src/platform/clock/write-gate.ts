import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** Whether anything may be written now. */
export interface WriteGate {
  readonly isOpen: boolean;
  /** @throws UnavailableError */
  assertOpen(): void;
}

/** A gate that may close for good, because another server writes. */
export interface GuardedGate extends WriteGate {
  /** Asked once more when something was written, before that is told: this process may have slept meanwhile. */
  readonly guard?: WriteGate | undefined;
}

/** Never closed. */
export const alwaysOpenGate: WriteGate = { isOpen: true, assertOpen() {} };

/** Work that must write before anything else, and waits until the clock is right. */
export function createWaitingWrites(isClockRight: () => boolean) {
  const waiting: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  async function runAll(): Promise<void> {
    for (let work = waiting[0]; work !== undefined && isClockRight(); work = waiting[0]) {
      await work();
      waiting.shift();
    }
  }
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    /** @throws UnavailableError */
    assertEmpty(): void {
      if (waiting.length > 0)
        throw new UnavailableError('The server is getting ready to write. Try again in a moment.', 1);
    },
    add(work: () => Promise<void>): void {
      waiting.push(work);
    },
    /** Runs what waits, if the clock is right. Work that fails stays first. */
    run(): Promise<void> {
      running ??= runAll().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
