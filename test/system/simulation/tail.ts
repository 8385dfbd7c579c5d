import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { subscribeToLog } from '../../../src/event-log/subscription/log-subscription.ts';
import type { SetTimer } from '../../../src/platform/async/timer.ts';
import { Injected } from './calls.ts';
import type { Disk } from './disk.ts';
import type { Owner, World } from './world.ts';

/** A reader of the log of the simplest kind, now slow, now quick. */
export interface Tail {
  /** Of the last record seen. */
  readonly position: number;
  /** Resolves when it no longer uses the log. */
  readonly ended: Promise<void>;
  end(): void;
}

/** Where every commit is announced at once, whoever waits for one has seen all there are, but those that may wait. */
export function checkPolled(world: World, disk: Disk, isPrompt: boolean, position: number, patientType?: string): void {
  const missed = disk.records.slice(position).find(({ type }) => type !== patientType);
  world.check(
    !isPrompt || missed === undefined,
    () => `at ${position} somebody waited until the poll, though ${missed!.position} was announced`,
  );
}

/** Sees every record after its start once and in order, and is told truly where it stands. */
export function followTail(
  world: World,
  disk: Disk,
  owner: Owner,
  log: EventLog,
  batchSize: number,
  bufferLimit: number,
  timers: { set: number },
  isPrompt: boolean,
): Tail {
  const { random } = world;
  const controller = new AbortController();
  const { signal } = controller;
  const timerOf = world.timerOf(owner, 'poll of a tail', timers);
  const setTimer: SetTimer = (callback, milliseconds) =>
    timerOf(() => {
      checkPolled(world, disk, isPrompt, position);
      callback();
    }, milliseconds);
  const types = random.chance(0.3) ? new Set(['ScoreChanged']) : undefined;
  const isSlow = random.chance(0.5);
  let position = random.chance(0.5) ? random.below(disk.records.length + 1) : 0;

  async function follow(): Promise<void> {
    const after = position === 0 ? null : toPosition(BigInt(position));
    let caughtUp = false;
    let isFirst = true;
    for await (const message of subscribeToLog(log, { after, batchSize, bufferLimit, signal, setTimer, types })) {
      const to = Number(message.position ?? 0n);
      if (message.kind === 'records') {
        const due = disk.records.slice(position, to).filter(({ type }) => !types || types.has(type));
        const seen = message.records.map(({ position: at }) => Number(at));
        world.check(
          to > position && to <= position + batchSize && due.map(({ position: at }) => at).join() === seen.join(),
          () => `a subscriber at ${position} got ${seen} up to ${to}, not ${due.map(({ position: at }) => at)}`,
        );
        position = to;
      } else {
        const isCaughtUp = message.kind === 'caught-up';
        world.check(
          to === position && isCaughtUp !== caughtUp && (isCaughtUp || !isFirst),
          () => `a subscriber at ${position} was told ${message.kind} at ${to}`,
        );
        caughtUp = isCaughtUp;
        isFirst = false;
      }
      if (isSlow) await world.pause(owner, 'a slow subscriber', world.someTime() * 3);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (!(error instanceof Injected)) throw error;
        await world.pause(owner, 'a subscriber begins again', 100);
      }
    }
  }

  return {
    get position() {
      return position;
    },
    ended: run().catch(world.failed),
    end: () => controller.abort(),
  };
}
