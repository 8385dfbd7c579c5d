import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type IdentityAct, planOf } from '../../../src/domain/identities/identity-plan.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { replayEvents } from '../../../src/ingest/mending/replay-events.ts';
import { LATER, type Message, pricesOf, scheduleOf, scoreOf } from '../feed-messages.ts';
import { type ForcedIntake, openForcedIntake } from './forced-intake.ts';
import { readLog, saidOf } from './replayed-log.ts';

const SECOND_START = { starts_at: '2026-09-14T18:00:00Z' };
/** Ids that nothing was recorded under. */
const MERGED = 901;
const AGAIN = [902, 903] as const;

let clock = LATER;
let worlds: ForcedIntake[] = [];
const openWorld = async () => {
  const world = await openForcedIntake(() => (clock += 1000));
  worlds.push(world);
  return world;
};
let world: ForcedIntake;
let one: number;
let other: number;
beforeEach(async () => {
  clock = LATER;
  world = await openWorld();
  await tell(scheduleOf('a'), scheduleOf('b', SECOND_START));
  one = (await world.identities.findEvent('a', 'a-1'))!.id;
  other = (await world.identities.findEvent('b', 'b-1'))!.id;
  for (let n = 1; n <= 40; n++) {
    await tell(scoreOf('a', n, n), scoreOf('b', n, n % 7), pricesOf('b', n, -110 - (n % 3)), pricesOf('a', n, -110));
  }
});
afterEach(async () => {
  for (const opened of worlds) await opened.close();
  worlds = [];
});

async function tell(...messages: readonly Message[]): Promise<void> {
  for (const message of messages) expect(await world.tell(message)).toBe('accepted');
}
const through = async () => (await world.log.head())!;
const merge = (): IdentityAct => ({ id: '1', action: 'merge', from: other, into: one });

describe('events replayed from the log', () => {
  it('given two events, when they are replayed as one, in pages of any size, then the same is written', async () => {
    const affected = [one, other].map((eventId) => ({ eventId, publicId: eventId }));
    const written: unknown[] = [];
    const before = await through();
    for (const [index, pageSize] of [1, 7, 1000].entries()) {
      const eventId = MERGED + index;
      const results = [{ eventId, publicId: one }];
      const { records, waiting } = await replayEvents(
        world.log,
        { plan: planOf([merge()]), affected, results },
        { through: before, pageSize },
      );
      expect(waiting.size).toBe(0);
      written.push({ records, said: await saidOf(eventId, world.log) });
    }
    expect(written[1]).toEqual(written[0]);
    expect(written[2]).toEqual(written[0]);
    const { said } = written[0] as { said: Record<string, readonly DomainRecord[]> };
    expect(said['event']!.filter(({ type }) => type.startsWith('Score'))).toHaveLength(80);
  });

  it('given a merge that is undone, when more was told meanwhile, then both are as if there had been no merge', async () => {
    const affected = [one, other].map((eventId) => ({ eventId, publicId: eventId }));
    const merged = { plan: planOf([merge()]), affected, results: [{ eventId: MERGED, publicId: one }] };
    await replayEvents(world.log, merged, { through: await through(), pageSize: 16 });

    // From now on all is told of the one event that they are.
    const later = [scoreOf('b', 50, 30), pricesOf('a', 51, 120), scoreOf('a', 52, 33), scoreOf('b', 53, 31)];
    for (const message of later) {
      expect(await world.tell(message, { id: MERGED, swapped: false })).toBe('accepted');
    }
    const undone = {
      plan: planOf([merge(), { id: '2', action: 'undo', act: '1' }]),
      affected: [...affected, { eventId: MERGED, publicId: one }],
      results: [one, other].map((publicId, index) => ({ eventId: AGAIN[index]!, publicId })),
    };
    await replayEvents(world.log, undone, { through: await through(), pageSize: 16 });

    const neverMerged = await openWorld();
    clock = LATER;
    const records = await readLog(world.log);
    expect(records.length).toBeGreaterThan(0);
    await neverMerged.tell(scheduleOf('a'));
    await neverMerged.tell(scheduleOf('b', SECOND_START));
    for (let n = 1; n <= 40; n++) {
      const said = [
        scoreOf('a', n, n),
        scoreOf('b', n, n % 7),
        pricesOf('b', n, -110 - (n % 3)),
        pricesOf('a', n, -110),
      ];
      for (const message of said) await neverMerged.tell(message);
    }
    for (const message of later) await neverMerged.tell(message);
    expect(await saidOf(AGAIN[0], world.log)).toEqual(await saidOf(one, neverMerged.log));
    expect(await saidOf(AGAIN[1], world.log)).toEqual(await saidOf(other, neverMerged.log));
  });
});
