import { expect } from 'vitest';
import { formatTime, SECOND } from '../../src/domain/primitives/time.ts';
import { type Message, market, NBA, odds, schedule, score } from '../api/spec/messages.ts';
import type { Composed } from './composed.ts';

interface LongEvent {
  /** Price changes, one a second, by 20 books in turn. */
  readonly changes: number;
  readonly scores: number;
}

const BEGIN = Date.parse('2026-02-01T00:00:00Z');
const BATCH = 1000;
/** The moment of a price change. */
export const momentOf = (second: number): string => formatTime(BEGIN + second * SECOND);

/** A change of two markets of one event. */
export function longEventChange(number: number): Message {
  const price = -101 - (number % 60);
  const point = (number % 9) / 2;
  return odds(
    'long',
    number % 5 === 0 ? 'pinnacle' : `book${number % 20}`,
    [
      market('h2h', [
        ['home', price],
        ['away', 100],
      ]),
      market('spreads', [
        ['home', -105 - (number % 7), -point],
        ['away', -108, point],
      ]),
    ],
    { at: momentOf(number) },
  );
}

/** Feeds an event that many books have priced many times, and that was played. @returns its id */
export async function feedLongEvent({ core, ports }: Composed, { changes, scores }: LongEvent): Promise<number> {
  const feed = async (messages: readonly Message[]) => {
    const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    expect(outcomes.filter(({ status }) => status !== 'accepted').slice(0, 3)).toEqual([]);
  };
  await feed([schedule(NBA, 'long', ['Home', 'Away'], momentOf(changes), { at: momentOf(0) })]);
  for (let from = 0; from < changes; from += BATCH) {
    const count = Math.min(BATCH, changes - from);
    await feed(Array.from({ length: count }, (_, index) => longEventChange(from + index)));
  }
  const played = Array.from({ length: scores }, (_, index) =>
    score('long', 'inprogress', [String(index), String(2 * index)], { at: momentOf(changes + 10 * index) }),
  );
  if (scores > 0) await feed(played);
  await core.projected();
  return (await ports.identities.findEvent('feed', 'long'))!.id;
}

const CHANGES_OF_EACH = 250;

/** Feeds so many events, each with some hundred price changes. @returns their ids */
export async function feedManyEvents({ core, ports }: Composed, events: number): Promise<number[]> {
  const ids: number[] = [];
  for (let event = 0; event < events; event++) {
    const ref = `many${event}`;
    const start = { at: momentOf(0) };
    const messages = [
      schedule(NBA, ref, [`Home ${event}`, `Away ${event}`], momentOf(50_000), start),
      ...Array.from({ length: CHANGES_OF_EACH }, (_, number) => ({ ...longEventChange(number), ref })),
    ];
    await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    ids.push((await ports.identities.findEvent('feed', ref))!.id);
  }
  await core.projected();
  return ids;
}
