import { formatTime } from '../../domain/primitives/time.ts';
import { eventMessages, type WallClock } from './demo-event-messages.ts';
import type { Fixture } from './fixtures/fixtures.ts';
import { DAY_SECONDS, fixturesOfDay } from './fixtures/fixtures.ts';
import type { UntimedMessage } from './fixtures/pre-game-messages.ts';
import { directoryOf } from './fixtures/pre-game-messages.ts';
import { allCompetitors, sportOfLeague } from './teams/competitors.ts';

/** One run of the demo. All of its messages follow from these values. */
export interface DemoRun {
  readonly seed: number;
  /** Simulated seconds in one second. */
  readonly speed: number;
  /** Start of its first day, in milliseconds. */
  readonly startedAt: number;
}

export interface DemoMessage {
  /** Milliseconds; the same time as the message's own `at`. */
  readonly at: number;
  readonly message: Record<string, unknown>;
}

export const DEMO_SOURCE = 'demo';

/** Length of a day on the wall clock, in milliseconds. */
export const dayLength = ({ speed }: DemoRun): number => (DAY_SECONDS * 1000) / speed;
export const dayStart = (run: DemoRun, day: number): number => run.startedAt + day * dayLength(run);

/** The games of a day. Their refs belong to this run only, so another run never reports the same events. */
export const fixturesOfRun = (run: DemoRun, day: number): Fixture[] =>
  fixturesOfDay(run.seed, day, `${run.seed}-${run.startedAt.toString(36)}`);

/**
 * The messages of a day, ordered by `at` and computed lazily. The same run and day give the same bytes. The first day
 * begins with all teams and players of the demo. The last games of a day end on the next day.
 * @param day from 0
 * @param fixtures the day's games; a part of them gives a smaller day
 */
export function* demoDay(
  run: DemoRun,
  day: number,
  fixtures: readonly Fixture[] = fixturesOfRun(run, day),
): Generator<DemoMessage> {
  const start = dayStart(run, day);
  const wall: WallClock = (second) => start + (second * 1000) / run.speed;
  if (day === 0) {
    for (const side of allCompetitors()) {
      for (const message of directoryOf(side, sportOfLeague(side.league)))
        yield timedMessage(Math.ceil(start), message);
    }
  }
  const waiting = [...fixtures].sort((a, b) => b.announcedAt - a.announcedAt || (a.ref < b.ref ? 1 : -1));
  const running: MessageStream[] = [];
  for (;;) {
    const next = earliest(running);
    const announced = waiting.at(-1);
    if (announced && (!next || announced.announcedAt <= next.due.second)) {
      waiting.pop();
      running.push(openMessageStream(eventMessages(announced, run.seed, wall)));
      continue;
    }
    if (!next) return;
    // Two messages of one event never have the same time, however fast the day passes.
    next.last = Math.max(Math.ceil(wall(next.due.second)), next.last + 1);
    yield timedMessage(next.last, next.due.message);
    if (!advance(next)) running.splice(running.indexOf(next), 1);
  }
}

interface MessageStream {
  readonly messages: Iterator<UntimedMessage>;
  due: UntimedMessage;
  /** Time of its last message, in milliseconds. */
  last: number;
}

function openMessageStream(messages: Iterator<UntimedMessage>): MessageStream {
  return { messages, due: messages.next().value as UntimedMessage, last: Number.NEGATIVE_INFINITY };
}

function advance(course: MessageStream): boolean {
  const { done, value } = course.messages.next();
  if (!done) course.due = value;
  return !done;
}

const earliest = (running: readonly MessageStream[]): MessageStream | undefined =>
  running.reduce<MessageStream | undefined>(
    (first, course) => (first === undefined || course.due.second < first.due.second ? course : first),
    undefined,
  );

/** @param at milliseconds */
export function timedMessage(at: number, { kind, ...rest }: UntimedMessage['message']): DemoMessage {
  return { at, message: { kind, source: DEMO_SOURCE, at: formatTime(at), ...rest } };
}
