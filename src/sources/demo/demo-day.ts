import { formatTime } from '../../domain/primitives/time.ts';
import { eventMessages, type WallClock } from './demo-event-messages.ts';
import type { Fixture } from './fixtures/fixtures.ts';
import { DAY_SECONDS, fixturesOfDay } from './fixtures/fixtures.ts';
import type { UntimedMessage } from './fixtures/pre-game-messages.ts';
import { directoryOf } from './fixtures/pre-game-messages.ts';
import { allCompetitors, sportOfLeague } from './teams/competitors.ts';

/** One run of the demo: everything that it ever says follows from this. */
export interface DemoRun {
  readonly seed: number;
  /** Simulated seconds that go by in a second. */
  readonly speed: number;
  /** Milliseconds at which its first day begins. */
  readonly startedAt: number;
}

export interface DemoMessage {
  /** Milliseconds; the message's own `at` says the same. */
  readonly at: number;
  readonly message: Record<string, unknown>;
}

export const DEMO_SOURCE = 'demo';

/** Milliseconds that a day lasts on the wall's clock. */
export const dayLength = ({ speed }: DemoRun): number => (DAY_SECONDS * 1000) / speed;
export const dayStart = (run: DemoRun, day: number): number => run.startedAt + day * dayLength(run);

/** The games of a day. Their refs are of this run alone, so that another one never speaks of the same events. */
export const fixturesOfRun = (run: DemoRun, day: number): Fixture[] =>
  fixturesOfDay(run.seed, day, `${run.seed}-${run.startedAt.toString(36)}`);

/**
 * What is said on a day, in the order of `at`, worked out as it is asked for. The same run and the same day give the
 * same bytes. The first day begins with everyone who will ever play; the last games of a day end on the next one.
 * @param day from 0
 * @param fixtures the day's games; some of them for a smaller day
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
      for (const message of directoryOf(side, sportOfLeague(side.league))) yield timed(Math.ceil(start), message);
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
    // Two messages of one event never have one time, however fast the day goes by.
    next.last = Math.max(Math.ceil(wall(next.due.second)), next.last + 1);
    yield timed(next.last, next.due.message);
    if (!advance(next)) running.splice(running.indexOf(next), 1);
  }
}

interface MessageStream {
  readonly messages: Iterator<UntimedMessage>;
  due: UntimedMessage;
  /** Milliseconds of its last message. */
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

function timed(at: number, { kind, ...rest }: UntimedMessage['message']): DemoMessage {
  return { at, message: { kind, source: DEMO_SOURCE, at: formatTime(at), ...rest } };
}
