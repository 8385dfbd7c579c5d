import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { answersOf, seenBy } from './renaming.ts';
import { runs } from './runs.ts';
import { type Message, type SmallServer, smallServer, withServer } from './small-server.ts';
import { arranged, EVENTS, history, NOW, order } from './world.ts';

const folder = temporaryFolder();

async function send(server: SmallServer, batches: readonly (readonly Message[])[]): Promise<void> {
  for (const batch of batches) await server.accept(batch);
}

const asText = async (server: SmallServer) =>
  JSON.stringify(await server.records(), (_, value) => (typeof value === 'bigint' ? String(value) : value));

it('leaves the log as it was when everything is sent again, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, order, fc.boolean(), async (messages, one, other, restarts) => {
      await withServer({ time: NOW }, async (server) => {
        await send(server, arranged(messages, one));
        const before = await asText(server);
        if (restarts) await server.restart();
        for (const batch of arranged(messages, other)) {
          const outcomes = await server.accept(batch);
          // Splits that came too late come too late again.
          for (const { status } of outcomes) expect(['unchanged', 'rejected']).toContain(status);
        }
        expect(await asText(server)).toBe(before);
      });
    }),
    runs(15),
  );
});

/** Which call fails, counted over all of a kind, and whether it does what it was asked for before it fails. */
interface Failure {
  readonly of: 'flush' | 'appendAll' | 'confirmTaken' | 'readStream' | 'findByName' | 'eventsOfSide';
  readonly call: number;
  readonly after: boolean;
}
const failure: fc.Arbitrary<Failure> = fc.record({
  of: fc.constantFrom('flush', 'appendAll', 'confirmTaken', 'readStream', 'findByName', 'eventsOfSide'),
  call: fc.nat({ max: 12 }),
  after: fc.boolean(),
});

/** Ports whose calls fail once each, as the failures say. */
function failing(failures: readonly Failure[]) {
  const calls = new Map<string, number>();
  const wrap = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name: string) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const own = failures.filter(({ of }) => of === name);
        if (own.length === 0) return member.bind(target);
        return async (...args: unknown[]) => {
          const call = calls.get(name) ?? 0;
          calls.set(name, call + 1);
          const fails = own.find((one) => one.call === call);
          if (fails && !fails.after) throw new Error(`${name} ${call} has failed`);
          const result = await member.apply(target, args);
          if (fails) throw new Error(`${name} ${call} has failed after its work`);
          return result;
        };
      },
    });
  return ({ log, identities }: { log: EventLog; identities: Identities }) => ({
    log: wrap(log),
    identities: wrap(identities),
  });
}

/** Which batches are sent again at once, and which only at the end; and whether the process dies. */
const recovery = fc.record({ atOnce: fc.boolean(), restarts: fc.boolean() });

it('comes to the same when batches are interrupted anywhere and sent again', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      order,
      fc.array(failure, { minLength: 1, maxLength: 4 }),
      recovery,
      async (messages, one, failures, { atOnce, restarts }) => {
        const batches = arranged(messages, one);
        const undisturbed = await withServer({ time: NOW }, async (server) => {
          await send(server, batches);
          await server.projected();
          return { seen: await seenBy(server), waiting: await server.waiting() };
        });
        // Its start may be what fails: it is begun again.
        const around = failing(failures);
        const server = await untilDone(() => smallServer({ time: NOW, around }));
        try {
          const interrupted: Message[][] = [];
          for (const batch of batches) {
            for (let attempt = 0; ; attempt++) {
              try {
                await server.accept(batch);
                break;
              } catch (error) {
                expect((error as Error).message).toMatch(/has failed/);
                if (restarts) await untilDone(() => server.restart());
                if (!atOnce && attempt === 0 && !batch.some(decidesWayRound)) {
                  interrupted.push(batch);
                  break;
                }
              }
            }
          }
          for (const batch of interrupted) await untilDone(() => server.accept(batch));
          await server.projected();
          const seen = await seenBy(server);
          expect(seen.documents).toEqual(undisturbed.seen.documents);
          expect(seen.answers).toEqual(undisturbed.seen.answers);
          expect(sorted(await server.waiting())).toEqual(sorted(undisturbed.waiting));
        } finally {
          await server.close();
        }
      },
    ),
    runs(15),
  );
});

/** Does it again for as long as it fails. */
async function untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      expect((error as Error).message).toMatch(/has failed/);
    }
  }
}

/** The schedule that makes an event decides its way round: it cannot be left for the end where sources differ. */
const decidesWayRound = ({ kind, ref }: Message): boolean =>
  kind === 'schedule' && EVENTS.some((event) => event.turned && String(ref).endsWith(event.ref));

const sorted = (messages: readonly Message[]) => messages.map((message) => JSON.stringify(message)).sort();

it('comes to the same on disk as in memory', async () => {
  let files = 0;
  await fc.assert(
    fc.asyncProperty(history, order, async (messages, one) => {
      const batches = arranged(messages, one);
      const seen: unknown[] = [];
      for (const log of [
        undefined,
        (now: () => number) => openSqliteLog({ file: folder.path(`log-${files++}.db`), now }),
      ]) {
        await withServer({ time: NOW, ...(log ? { log } : {}) }, async (server) => {
          await send(server, batches);
          await server.projected();
          seen.push({ log: await asText(server), answers: await answersOf(server) });
        });
      }
      expect(seen[1]).toEqual(seen[0]);
    }),
    runs(5),
  );
});
