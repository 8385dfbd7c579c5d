import { setImmediate } from 'node:timers/promises';
import { utcMidnightOf } from '../../domain/primitives/time.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import { type DemoRun, dayLength } from './demo-day.ts';
import type { DemoFile, DemoState, StoredRun } from './demo-run-file.ts';
import { closingMessagesOf, type ScriptLine, scriptOf, startOfRun } from './demo-script.ts';
import { pastGames } from './past-games.ts';

/** At this speed an NBA game lasts about seven minutes. */
export const DEMO_SPEED = 20;
/** Number of messages ingested at once while the demo catches up. */
const BATCH = 500;
/** The same of the days before the first: small, so that what is due waits for none. */
const PAST_BATCH = 200;
/** Messages within this time are ingested together, in one commit. */
const BATCH_MS = 250;
const MAX_WAIT_MS = 10_000;
/** Number of lines after which other work gets a turn: computing a game's messages takes some milliseconds. */
const LINES_PER_TURN = 150;
const RETRY_MS = 2_000;
/** Interval for storing the progress. After a restart, messages since then are sent again and recognised as known. */
const NOTE_EVERY_MS = 30_000;

interface DemoFeedOptions {
  readonly intake: Intake;
  readonly file: DemoFile;
  readonly seed: number;
  readonly speed: number;
  /** Milliseconds. */
  readonly now: () => number;
  /** Returns a function that cancels the timer. */
  readonly setTimer: (callback: () => void, milliseconds: number) => () => void;
  /** Called when messages could not be ingested (they are retried), and when one was rejected. */
  readonly onError: (error: unknown, what: string) => void;
}

export interface DemoFeed {
  /** The run that is played. */
  readonly run: DemoRun;
  /** Resolves when all messages of the past are ingested; from then on the demo is live. */
  readonly caughtUp: Promise<void>;
  start(): void;
  /** Resolves when nothing is being ingested any more. */
  stop(): Promise<void>;
}

/**
 * A simulated day of sport, for ever, through the same intake as every feed.
 * The run and the day are stored before their first message. If they were stored after it, a crash in between would
 * leave games in the log that no later run knows, and that would never end.
 */
export function createDemoFeed(options: DemoFeedOptions): DemoFeed {
  const { file, now, setTimer, onError } = options;
  let state = stateFor(options);
  let stopped = false;
  let wake: (() => void) | undefined;
  let cancelTimer: (() => void) | undefined;
  let caughtUp!: () => void;
  const whenCaughtUp = new Promise<void>((resolve) => {
    caughtUp = resolve;
  });
  let playing: Promise<void> = Promise.resolve();
  let pastLeft: ReturnType<typeof pastGames> | undefined;

  function storeProgress(change: Partial<DemoState>): void {
    state = { ...state, ...change };
    file.write(state);
  }

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      if (stopped) return resolve();
      wake = resolve;
      cancelTimer = setTimer(resolve, milliseconds);
    });

  /** Repeats until the messages are ingested. */
  async function ingest(messages: readonly Record<string, unknown>[]): Promise<void> {
    while (!stopped) {
      try {
        return await ingestDemoMessages(options, messages);
      } catch (error) {
        onError(error, 'the demo could not hand its messages over, and tries again');
        await pause(RETRY_MS);
      }
    }
  }

  async function endFormerRuns(): Promise<void> {
    for (const run of state.ended) {
      const messages = [...closingMessagesOf(run)].map(({ message }) => message);
      for (let from = 0; from < messages.length; from += BATCH) await ingest(messages.slice(from, from + BATCH));
      if (!stopped) storeProgress({ ended: state.ended.filter((other) => other !== run) });
    }
  }

  /**
   * Sends some games of the days before the first, whenever nothing else is due. They come once for each folder:
   * another seed or speed keeps them.
   * @returns whether there were any
   */
  async function playSomePast(): Promise<boolean> {
    const past = state.past ?? { seed: state.seed, before: utcMidnightOf(state.startedAt), isPlayed: false };
    if (past.isPlayed) return false;
    if (!pastLeft) {
      storeProgress({ past });
      pastLeft = pastGames(past);
    }
    const batch: Record<string, unknown>[] = [];
    while (batch.length < PAST_BATCH) {
      const { value, done } = pastLeft.next();
      if (done) {
        await ingest(batch);
        if (!stopped) storeProgress({ past: { ...past, isPlayed: true } });
        return true;
      }
      batch.push(...value.map(({ message }) => message));
      await setImmediate();
    }
    await ingest(batch);
    return true;
  }

  async function play(): Promise<void> {
    await endFormerRuns();
    let script = scriptOf(state, now());
    let notedAt = now();
    let lookedAt = notedAt;
    let lines = 0;
    const nextLine = async (): Promise<ScriptLine> => {
      for (;;) {
        if (lines++ % LINES_PER_TURN === 0) await setImmediate();
        const { value } = script.next();
        if (value !== null) return value;
      }
    };
    let next = await nextLine();
    while (!stopped) {
      const sleptSince = lookedAt;
      lookedAt = now();
      if (lookedAt - sleptSince > 2 * dayLength(state) && state.playedUntil !== null) {
        // The machine was asleep: skip the time that nobody has seen, as at a start.
        script = scriptOf(state, now());
        next = await nextLine();
      }
      const batch: ScriptLine[] = [];
      while (next.at <= now() && batch.length < BATCH) {
        batch.push(next);
        next = await nextLine();
      }
      if (batch.length === 0) {
        caughtUp();
        if (await playSomePast()) continue;
        await pause(Math.min(MAX_WAIT_MS, next.at - now() + BATCH_MS));
        continue;
      }
      const day = Math.max(...batch.map((line) => line.day));
      if (day > state.day) storeProgress({ day });
      await ingest(batch.map(({ message }) => message));
      const isDue = Math.abs(now() - notedAt) >= NOTE_EVERY_MS;
      // Several messages with the same time may be in two batches, so stop before it.
      const playedUntil = batch.at(-1)!.at - 1;
      if (!stopped && isDue) {
        storeProgress({ playedUntil });
        notedAt = now();
      } else if (!stopped) state = { ...state, playedUntil };
    }
  }

  return {
    run: state,
    caughtUp: whenCaughtUp,
    start() {
      file.write(state);
      playing = play().catch((error) => onError(error, 'the demo has stopped'));
    },
    async stop() {
      stopped = true;
      cancelTimer?.();
      wake?.();
      await playing;
      if (state.playedUntil !== null) file.write(state);
      caughtUp();
    },
  };
}

/** Continues the run of this folder. Another seed or speed is another run, and ends the earlier one. */
function stateFor({ file, seed, speed, now }: DemoFeedOptions): DemoState {
  const stored = file.read();
  if (stored && stored.seed === seed && stored.speed === speed) return stored;
  const time = now();
  const fresh: StoredRun = { seed, speed, startedAt: startOfRun(time, speed), day: 0, playedUntil: null };
  if (!stored) return { ...fresh, ended: [] };
  const { ended, past, ...run } = stored;
  return { ...fresh, past, ended: [...ended, { ...run, endedAt: time }] };
}

async function ingestDemoMessages(
  { intake, onError }: Pick<DemoFeedOptions, 'intake' | 'onError'>,
  messages: readonly Record<string, unknown>[],
): Promise<void> {
  const { outcomes } = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') onError(new Error(outcome.message), 'a message of the demo was refused');
  }
}

/** Ends a demo that must not run any more, because the folder has real data now: no game stays unfinished. */
export async function endDemo(options: Pick<DemoFeedOptions, 'intake' | 'file' | 'now' | 'onError'>): Promise<void> {
  const { file, now } = options;
  const stored = file.read();
  if (!stored) return;
  const { ended, past: _, ...run } = stored;
  for (const former of [...ended, { ...run, endedAt: now() }]) {
    await ingestDemoMessages(
      options,
      [...closingMessagesOf(former)].map(({ message }) => message),
    );
  }
  file.remove();
}
