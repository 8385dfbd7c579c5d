import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import type { Intake, IntakeItem, IntakeResult } from '../../src/ingest/intake/intake.ts';
import { type Message, pricesOf, scheduleOf, scoreByMatch, scoreOf } from './feed-messages.ts';

/** A log and a registry, empty at first. The clock stands behind all messages of `feed-messages.ts`. */
export interface IntakeWorld {
  readonly log: EventLog;
  /** One more intake on them, as a process of its own has it; what it may resume is resumed. */
  open(): Promise<Intake>;
  /** How many messages wait. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export interface IntakeContractOptions {
  /** What this intake cannot do, and why. */
  readonly skip?: readonly { readonly reason: string; readonly tests: readonly string[] }[];
}

const items = (...messages: readonly Message[]): IntakeItem[] =>
  messages.map((value, index) => ({ line: index + 1, value }));
const statuses = ({ outcomes }: IntakeResult) => outcomes.map(({ status }) => status);

/** What every intake does. */
export function intakeContract(
  name: string,
  newWorld: () => Promise<IntakeWorld>,
  { skip = [] }: IntakeContractOptions = {},
): void {
  const skipped = new Set(skip.flatMap(({ tests }) => tests));
  const check = (title: string, test: (world: IntakeWorld) => Promise<void>) =>
    it.skipIf(skipped.has(title))(title, async () => {
      const world = await newWorld();
      try {
        await test(world);
      } finally {
        await world.close();
      }
    });
  const recordsOf = async ({ log }: IntakeWorld) => log.readAll(null, 100_000);

  describe(`intake contract: ${name}`, () => {
    check('given messages, when they come again, then they are unchanged, and so is the log', async (world) => {
      const intake = await world.open();
      const messages = items(scheduleOf('a'), scoreOf('a', 1, 7), pricesOf('a', 0, -110));
      expect(statuses(await intake.accept(messages))).toEqual(['accepted', 'accepted', 'accepted']);
      const before = await recordsOf(world);
      const again = await intake.accept(messages);
      expect(statuses(again)).toEqual(['unchanged', 'unchanged', 'unchanged']);
      expect(again.positions.size).toBe(0);
      expect(await recordsOf(world)).toEqual(before);
    });

    check('given a batch, then outcomes come in its order, whatever its lines are called', async (world) => {
      const intake = await world.open();
      const { outcomes } = await intake.accept([
        { line: 7, text: '{' },
        { line: 5, value: scheduleOf('a') },
        { line: 6, text: JSON.stringify(scheduleOf('a')) },
        { line: 9, value: { kind: 'rumour' } },
        { line: 8, value: scoreOf('z', 1, 7) },
        { line: 1, value: { ...scoreOf('a', 1, 7), at: '2030-01-01T00:00:00Z' } },
      ]);
      expect(outcomes.map((outcome) => [outcome.line, outcome.status, 'code' in outcome && outcome.code])).toEqual([
        [7, 'rejected', 'invalid_json'],
        [5, 'accepted', false],
        [6, 'unchanged', false],
        [9, 'rejected', 'unknown_kind'],
        [8, 'quarantined', false],
        [1, 'rejected', 'at_in_future'],
      ]);
    });

    check('given a message about what nobody knows, when that becomes known, then it is recorded', async (world) => {
      const intake = await world.open();
      expect(statuses(await intake.accept(items(scoreOf('a', 1, 7), scoreByMatch('b', 2))))).toEqual([
        'quarantined',
        'quarantined',
      ]);
      expect([await world.waiting(), await recordsOf(world)]).toEqual([2, []]);
      expect(statuses(await intake.accept(items(scoreOf('a', 1, 7))))).toEqual(['unchanged']);
      const { positions } = await intake.accept(items(scheduleOf('a')));
      expect(await world.waiting()).toBe(0);
      const records = await recordsOf(world);
      expect(records.filter(({ type }) => type === 'ScoreChanged')).toHaveLength(2);
      // What was released counts as appended by the call that released it.
      const event = records.find(({ type }) => type === 'EventScheduled')!.meta.partition;
      expect(positions.get(event)).toBe(records.findLast(({ meta }) => meta.partition === event)!.position);
    });

    check('given accepted messages, then they are on disk, at the places that the answer names', async (world) => {
      const intake = await world.open();
      const messages = items(scheduleOf('a'), scoreOf('a', 1, 7), scoreOf('z', 1, 7), pricesOf('a', 0, -110));
      const { positions } = await intake.accept(messages);
      const records = await recordsOf(world);
      const last = new Map(records.map(({ meta, position }) => [meta.partition, position]));
      expect(positions).toEqual(last);
      expect(positions.size).toBeGreaterThan(2);
      // Another process finds all of it, also what waits.
      expect(new Set(statuses(await (await world.open()).accept(messages)))).toEqual(new Set(['unchanged']));
    });

    check('given calls at once, then they are taken one after another', async (world) => {
      const intake = await world.open();
      const calls = [scheduleOf('a'), scoreOf('a', 1, 0), scoreOf('a', 2, 7), scoreOf('a', 3, 14)];
      const taken = await Promise.all(calls.map((message) => intake.accept(items(message))));
      expect(taken.flatMap(statuses)).toEqual(calls.map(() => 'accepted'));
      const scores = (await recordsOf(world)).filter(({ type }) => type === 'ScoreChanged');
      expect(scores.every(({ data }) => !('late' in (data as object)))).toBe(true);
    });

    check('given two intakes, when both get one event at once, then there is one, and one says so', async (world) => {
      const [one, other] = [await world.open(), await world.open()];
      const taken = await Promise.all([one.accept(items(scheduleOf('a'))), other.accept(items(scheduleOf('a')))]);
      expect(taken.flatMap(statuses).sort()).toEqual(['accepted', 'unchanged']);
      expect((await recordsOf(world)).filter(({ type }) => type === 'EventScheduled')).toHaveLength(1);
    });

    check('given two intakes, when one knows what the other waits for, then nothing waits', async (world) => {
      const [one, other] = [await world.open(), await world.open()];
      await one.accept(items(scoreOf('a', 1, 7), scoreByMatch('b', 2)));
      await other.accept(items(scheduleOf('a')));
      expect(await world.waiting()).toBe(0);
      expect((await recordsOf(world)).filter(({ type }) => type === 'ScoreChanged')).toHaveLength(2);
    });

    const shared = 'given two intakes, when they share the messages of one game, then each is recorded once';
    it.skipIf(skipped.has(shared))(shared, async () => {
      const messages = [
        ...[1, 2, 3, 4].map((n) => scoreOf('a', n, n * 7)),
        ...[1, 2, 3, 4].map((n) => pricesOf('a', n, -100 - n)),
        ...[1, 2].map((n) => pricesOf('a', n, 100 + n, 'c')),
      ];
      const halves = fc.tuple(fc.subarray(messages), fc.subarray(messages), fc.nat({ max: 4 }));
      await fc.assert(
        fc.asyncProperty(halves, async ([mine, yours, size]) => {
          const world = await newWorld();
          try {
            const [one, other] = [await world.open(), await world.open()];
            await one.accept(items(scheduleOf('a')));
            const before = (await recordsOf(world)).length;
            const send = async (intake: Intake, all: readonly Message[]): Promise<string[]> => {
              const taken: IntakeResult[] = [];
              for (let from = 0; from < all.length; from += size + 1)
                taken.push(await intake.accept(items(...all.slice(from, from + size + 1))));
              return taken.flatMap(statuses);
            };
            const told = await Promise.all([send(one, mine), send(other, yours)]);
            const different = new Set([...mine, ...yours]).size;
            expect(told.flat().filter((status) => status === 'accepted')).toHaveLength(different);
            expect(told.flat()).not.toContain('quarantined');
            expect((await recordsOf(world)).length - before).toBe(different);
          } finally {
            await world.close();
          }
        }),
        { numRuns: 25 },
      );
    });
  });
}
