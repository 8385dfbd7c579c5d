import { describe, expect, it } from 'vitest';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import type { Intake } from '../../src/ingest/intake/intake.ts';
import { TooManyConflicts } from '../../src/ingest/intake/intake.ts';
import type { FeedIntake } from '../../src/ingest/pipeline/feed-intake.ts';
import { liveFact, liveSchedules, pastGames } from '../system/chaos/histories-and-scores.ts';
import { seeded } from '../system/kill/generated-feed.ts';
import { LATER, type Message, scheduleOf, scoreOf } from './feed-messages.ts';
import { newIntakeWorld } from './intake-world.ts';

const chiefs: Message = {
  kind: 'team',
  source: 'a',
  at: '2026-08-01T00:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref: 't1',
  name: 'Kansas City Chiefs',
  abbreviation: 'KC',
  aliases: ['Chiefs'],
};
const nextWeek: Message = scheduleOf('a', { ref: 'a-2', starts_at: '2026-09-17T18:00:00Z' });

async function tell(intake: Intake, ...messages: readonly Message[]): Promise<readonly string[]> {
  const { outcomes } = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  return outcomes.map(({ status }) => status);
}

type AppendAll = EventLog['appendAll'];

/** Two intakes; what `meanwhile` holds stands in once for an append to such a stream. */
async function twoIntakes() {
  let meanwhile: { readonly stream: RegExp; readonly append: AppendAll } | undefined;
  const around = (log: EventLog): EventLog => ({
    ...log,
    async appendAll(appends) {
      const due = meanwhile;
      if (due && appends.some(({ stream }) => due.stream.test(stream))) {
        meanwhile = undefined;
        return due.append(appends);
      }
      return log.appendAll(appends);
    },
  });
  const world = await newIntakeWorld(around);
  return {
    ...world,
    one: (await world.open()) as FeedIntake,
    other: (await world.open()) as FeedIntake,
    before(stream: RegExp, happens: () => Promise<unknown>) {
      const append: AppendAll = async (appends) => {
        await happens();
        return world.log.appendAll(appends);
      };
      meanwhile = { stream, append };
    },
    /** Of the next append to such a stream these records alone come into the log, and nobody is told. */
    losesAllBut(stream: RegExp) {
      const append: AppendAll = async (appends) => {
        await world.log.appendAll(appends.filter((one) => stream.test(one.stream)));
        throw new Error('the power is gone');
      };
      meanwhile = { stream, append };
    },
    /** Of each event, whether it shows how the directory abbreviates a side. */
    async shown(): Promise<readonly boolean[]> {
      const records = await world.log.readAll(null, 1000);
      const events = records.filter(({ type }) => type === 'EventScheduled').map(({ stream }) => stream);
      const isShown = (event: string) =>
        records.some(
          ({ stream, type, data }) =>
            stream === event && type === 'ParticipantDescribed' && JSON.stringify(data).includes('"KC"'),
        );
      return [...new Set(events)].map(isShown);
    },
  };
}

describe('a team that one of two processes describes', () => {
  it('shows in its event where the other one appends to that event at the same moment', async () => {
    const world = await twoIntakes();
    await tell(world.one, scheduleOf('a'));
    world.before(/^team-/, () => tell(world.other, scoreOf('a', 1, 7)));
    expect(await tell(world.one, chiefs)).toEqual(['accepted']);
    expect(await world.shown()).toEqual([true]);
    expect(await tell(world.other, chiefs, scheduleOf('a'))).toEqual(['unchanged', 'unchanged']);
    await world.close();
  });

  it('shows in an event that the other one schedules later, though it knew the team before', async () => {
    const world = await twoIntakes();
    await tell(world.other, scheduleOf('a'));
    await tell(world.one, chiefs);
    await tell(world.other, nextWeek);
    expect(await world.shown()).toEqual([true, true]);
    await world.close();
  });

  it('shows in an event that the other one is about to append', async () => {
    const world = await twoIntakes();
    await tell(world.one, scheduleOf('a'));
    world.before(/^event-/, () => tell(world.other, chiefs));
    await tell(world.one, nextWeek);
    expect(await world.shown()).toEqual([true, true]);
    await world.close();
  });

  it('shows in an event that the other one schedules just before the description is in the log', async () => {
    const world = await twoIntakes();
    await tell(world.one, scheduleOf('a'));
    world.before(/^team-/, () => tell(world.other, nextWeek));
    await tell(world.one, chiefs);
    expect(await world.shown()).toEqual([true, true]);
    await world.close();
  });

  it('shows in its events when it is told again, where the first teller has died in between', async () => {
    const world = await twoIntakes();
    await tell(world.one, scheduleOf('a'));
    world.losesAllBut(/^team-/);
    await expect(tell(world.one, chiefs)).rejects.toThrow('the power is gone');
    expect(await world.shown()).toEqual([false]);
    await tell(world.other, chiefs);
    expect(await world.shown()).toEqual([true]);
    await world.close();
  });
});

it('given messages that two processes take in turns, when all are told again, then all are known', async () => {
  for (let seed = 1; seed <= 16; seed++) {
    const random = seeded(seed * 77);
    const schedules = liveSchedules(2, LATER - 86_400_000);
    const facts = Array.from({ length: 40 }, (_, n) => liveFact(n % 2, 1 + (n >> 1), LATER - 86_400_000 + n * 400));
    const all = [...schedules, ...pastGames(seed, 4), ...facts];
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const held = async <T>(effect: () => Promise<T>): Promise<T> => {
      for (let turns = Math.floor(random() * 6); turns > 0; turns--) await turn();
      return effect();
    };
    const world = await newIntakeWorld((log) => ({
      ...log,
      appendAll: (appends) => held(() => log.appendAll(appends)),
    }));
    const intakes = [await world.open(), await world.open()];
    // A third one is told by the other again.
    const owners = all.map(() => random());
    const shares = intakes.map((_, own) => all.filter((_, n) => owners[n]! < 0.3 || owners[n]! < 0.65 === (own === 0)));
    const tellAll = async (intake: Intake, messages: readonly Message[]) => {
      const statuses: string[] = [];
      for (let from = 0; from < messages.length; ) {
        const part = messages.slice(from, from + 1 + Math.floor(random() * 8));
        try {
          statuses.push(...(await held(() => tell(intake, ...part))));
          from += part.length;
        } catch (error) {
          // The other one came before each attempt: the sender sends them again.
          if (!(error instanceof TooManyConflicts)) throw error;
        }
      }
      return statuses;
    };
    await Promise.all(intakes.map((intake, n) => tellAll(intake, shares[n]!)));
    const again = await tellAll(intakes[0]!, all);
    expect(again.filter((status) => status !== 'unchanged')).toEqual([]);
    await world.close();
  }
}, 60_000);
