import { formatTime } from '../../domain/primitives/time.ts';
import {
  DEMO_SOURCE,
  type DemoMessage,
  type DemoRun,
  dayLength,
  dayStart,
  demoDay,
  fixturesOfRun,
} from './demo-day.ts';
import type { EndedRun, StoredRun } from './demo-run-file.ts';
import { FIRST_VIEW_SECONDS } from './fixtures/fixtures.ts';
import { timelineOf } from './fixtures/game-timeline.ts';

/** A message with its day. */
export interface ScriptLine extends DemoMessage {
  readonly day: number;
}

/** Maximum time from a game's start to its end, in simulated seconds, in any scenario. */
const LONGEST = 9 * 3600;

/** A new run begins in the past, so that its first view has games that are over, in play and to come. */
export const startOfRun = (now: number, speed: number): number => Math.floor(now - (FIRST_VIEW_SECONDS * 1000) / speed);

/**
 * All messages that are still to be sent, for ever, ordered by `at`. Days that have begun are sent to their end. After
 * a long pause the days in between are skipped: nobody has seen any part of them. Null stands for a message that is
 * known already, so that the reader can let other work have a turn.
 * @param now milliseconds
 */
export function* scriptOf(run: StoredRun, now: number): Generator<ScriptLine | null, never> {
  const known = run.playedUntil ?? Number.NEGATIVE_INFINITY;
  const today = Math.floor((now - run.startedAt) / dayLength(run));
  // The games of a day end on the next one. Early in a day, the board would be empty without the day before.
  const from = now - dayStart(run, today) < (FIRST_VIEW_SECONDS * 1000) / run.speed ? today - 1 : today;
  const days = daysFrom(run, from);
  const running: { readonly lines: Iterator<ScriptLine | null>; next: ScriptLine }[] = [];
  let [day, begins] = next(days);
  for (;;) {
    const first = running.reduce<(typeof running)[0] | undefined>(
      (least, one) => (least === undefined || one.next.at < least.next.at ? one : least),
      undefined,
    );
    if (first === undefined || begins <= first.next.at) {
      const lines = linesOf(run, day, known);
      const line = yield* nextNew(lines);
      if (line) running.push({ lines, next: line });
      [day, begins] = next(days);
      continue;
    }
    yield first.next;
    const line = yield* nextNew(first.lines);
    if (line) first.next = line;
    else running.splice(running.indexOf(first), 1);
  }

  function next(numbers: Iterator<number>): [number, number] {
    const { value } = numbers.next();
    return [value as number, dayStart(run, value as number)];
  }
}

/** The days to send, for ever: those that have begun and may be unfinished, then all from `from` on. */
function* daysFrom(run: StoredRun, from: number): Generator<number> {
  // A day's games end long before the next day but one begins.
  for (let day = Math.max(0, run.day - 1); day <= run.day; day++) yield day;
  for (let day = Math.max(run.day + 1, from); ; day++) yield day;
}

/** The messages of a day that are not known yet. Games that ended long ago are not computed again. */
function* linesOf(run: DemoRun, day: number, known: number): Generator<ScriptLine | null> {
  const over = (startsAt: number) => wallOf(run, day)(startsAt + LONGEST) <= known;
  const fixtures = fixturesOfRun(run, day).filter(({ startsAt }) => !over(startsAt));
  for (const line of demoDay(run, day, fixtures)) yield line.at > known ? { ...line, day } : null;
}

/** The next line that is not null; undefined at the end. */
function* nextNew(lines: Iterator<ScriptLine | null>): Generator<null, ScriptLine | undefined> {
  for (;;) {
    const { value, done } = lines.next();
    if (done) return undefined;
    if (value !== null) return value;
    yield null;
  }
}

const wallOf = (run: DemoRun, day: number) => (second: number) => dayStart(run, day) + (second * 1000) / run.speed;

/** The remaining messages of an ended run, ordered by `at`: games that cannot finish any more are called off. */
export function* closingMessagesOf(run: EndedRun): Generator<DemoMessage> {
  const days = Array.from({ length: Math.min(2, run.day + 1) }, (_, index) => run.day - index).reverse();
  const lines = days.flatMap((day) => [...takeUntil(linesOf(run, day, run.playedUntil ?? 0), run.endedAt)]);
  yield* lines.sort((a, b) => a.at - b.at);
  for (const day of days) {
    const wall = wallOf(run, day);
    for (const fixture of fixturesOfRun(run, day)) {
      if (wall(fixture.announcedAt) > run.endedAt || wall(fixture.startsAt + LONGEST) <= run.endedAt) continue;
      const { start, moments } = timelineOf(fixture, run.seed);
      if (wall(start + moments.at(-1)!.second) <= run.endedAt) continue;
      const at = formatTime(run.endedAt);
      yield {
        at: run.endedAt,
        message: { kind: 'score', source: DEMO_SOURCE, at, ref: fixture.ref, status: 'cancelled' },
      };
    }
  }
}

function* takeUntil(lines: Iterable<ScriptLine | null>, until: number): Generator<ScriptLine> {
  for (const line of lines) {
    if (line !== null && line.at > until) return;
    if (line !== null) yield line;
  }
}
