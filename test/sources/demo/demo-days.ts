import { type DemoMessage, type DemoRun, demoDay, fixturesOfRun } from '../../../src/sources/demo/demo-day.ts';
import type { Fixture } from '../../../src/sources/demo/fixtures/fixtures.ts';

export const STARTED_AT = Date.parse('2026-03-01T10:00:00Z');
export const runOf = (seed: number, speed = 20): DemoRun => ({ seed, speed, startedAt: STARTED_AT });

/** A smaller day: so many of its games, other ones for every seed; of even seeds those that something befalls. */
export function someGames(run: DemoRun, day: number, count: number): Fixture[] {
  const all = fixturesOfRun(run, day).filter(({ scenario }) => run.seed % 2 === 1 || scenario !== 'plain');
  const step = Math.floor(all.length / count);
  return Array.from({ length: count }, (_, index) => all[(run.seed * 7 + index * step) % all.length]!);
}

/** What is said of some games of a day that is not the first: the directory is told on the first day only. */
export const smallDay = (run: DemoRun, count: number): DemoMessage[] => [...demoDay(run, 1, someGames(run, 1, count))];

/** The messages of each event, by its ref. */
export function byEvent(messages: readonly DemoMessage[]): Map<string, DemoMessage['message'][]> {
  const events = new Map<string, DemoMessage['message'][]>();
  for (const { message } of messages) {
    const ref = String(message['ref']);
    if (message['kind'] === 'schedule' && !events.has(ref)) events.set(ref, []);
    events.get(ref)?.push(message);
  }
  return events;
}
