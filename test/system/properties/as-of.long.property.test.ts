import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answersFor, answersOf } from './renaming.ts';
import { runs } from './runs.ts';
import { type Message, type SmallServer, withServer } from './small-server.ts';
import { arranged, EVENTS, history, iso, NOW, order } from './world.ts';

const MINUTE = 60_000;

/** Sends the batches a minute apart; gives back when each was recorded. */
async function sendByMinutes(server: SmallServer, batches: readonly (readonly Message[])[]): Promise<number[]> {
  const times: number[] = [];
  for (const batch of batches) {
    server.clock.time += MINUTE;
    times.push(server.clock.time);
    await server.accept(batch);
  }
  server.clock.time += MINUTE;
  await server.projected();
  return times;
}

it('answers as of a recorded time what a server knew that was told no more than that', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, fc.nat(), async (messages, one, moment) => {
      const batches = arranged(messages, one);
      await withServer({ time: NOW }, async (full) => {
        const times = await sendByMinutes(full, batches);
        // At a batch's very time it is included; a millisecond before, it is not.
        const at = pickOf(times, moment) - (moment % 2);
        await withServer({ time: NOW }, async (then) => {
          await sendByMinutes(then, batches.slice(0, times.filter((time) => time <= at).length));
          then.clock.time = at;
          const asOf = { as_of: iso(at), as_of_basis: 'recorded' };
          // Both gave the same ids, and wrote at the same times: nothing is renamed or masked.
          for (const { id, ref } of await eventsOf(full)) {
            const known = (await then.identities.findEvent('alpha', `alpha-${ref}`)) ?? { id };
            expect(known.id).toBe(id);
            expect(await answersFor(full, id, asOf)).toEqual(await answersFor(then, id));
          }
        });
      });
    }),
    runs(15),
  );
});

it('answers as of an observed time what a server knows that was told only what had been observed by then', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, order, fc.nat(), async (messages, one, other, moment) => {
      await withServer({ time: NOW }, async (full) => {
        await sendByMinutes(full, arranged(messages, one));
        const at = timeOf(pickOf(messages, moment)) - (moment % 2);
        await withServer({ time: NOW }, async (then) => {
          await sendByMinutes(
            then,
            arranged(
              messages.filter((message) => timeOf(message) <= at),
              other,
            ),
          );
          then.clock.time = at;
          const asOf = { as_of: iso(at), as_of_basis: 'observed' };
          expect(withoutIdentities(await answersOf(full, asOf))).toEqual(withoutIdentities(await answersOf(then)));
        });
      });
    }),
    runs(15),
  );
});

it('knows no event before it was scheduled', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, async (messages, one) => {
      await withServer({ time: NOW }, async (server) => {
        await sendByMinutes(server, arranged(messages, one));
        for (const { id } of await eventsOf(server)) {
          for (const as_of_basis of ['recorded', 'observed']) {
            const asOf = { as_of: '2020-01-01T00:00:00Z', as_of_basis };
            const { detail, score, odds, history: moves, splits, injuries, batch } = await answersFor(server, id, asOf);
            for (const answer of [detail, score, odds, moves, splits, injuries])
              expect(answer).toEqual({ error: 'not_found' });
            expect(batch).toEqual({ events: [], not_found: [id], total: 0 });
          }
        }
      });
    }),
    runs(5),
  );
});

/**
 * Without who an injured player is: that shows from when the directory is known to have held the player, and a player
 * message that tells of an earlier time moves it only for reports that come after it.
 */
const withoutIdentities = (answers: unknown): unknown =>
  JSON.parse(JSON.stringify(answers, (key, value) => (key === 'player_id' ? undefined : value)));

const pickOf = <T>(from: readonly T[], n: number): T => from[n % from.length]!;
const timeOf = ({ at }: Message): number => Date.parse(String(at));

async function eventsOf(server: SmallServer): Promise<{ id: number; ref: string }[]> {
  const found = await Promise.all(
    EVENTS.map(async ({ ref }) => ({ ref, id: (await server.identities.findEvent('alpha', `alpha-${ref}`))?.id })),
  );
  return found.filter((event): event is { id: number; ref: string } => event.id !== undefined);
}
