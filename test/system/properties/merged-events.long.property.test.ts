import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apart, gameOf, inOrder, MINUTE } from '../../ingest/mending/two-events.ts';
import { seenBy } from './renaming.ts';
import { runs } from './runs.ts';
import { type Message, type SmallServer, withServer } from './small-server.ts';
import { EVENTS, history, NOW, type Order, order } from './world.ts';

/** Sources that name their events by ref: what they say is of the same event on both servers. */
const byRef = ({ source }: Message): boolean => source !== 'gamma' && source !== 'delta';

/** The later source says by `refs` that its event is the one of the other: the right server never has two. */
function told(messages: readonly Message[], arrival: Order, isBetaFirst: boolean, isRight: boolean): Message[] {
  const introduced = new Set<string>();
  return inOrder(messages, arrival, isBetaFirst)
    .filter(byRef)
    .map((said, index) => {
      const message = apart(said, index);
      const second = isBetaFirst ? 'alpha' : 'beta';
      const { ref } = gameOf(message) ?? {};
      if (!isRight || message['kind'] !== 'schedule' || message['source'] !== second || ref === undefined)
        return message;
      if (introduced.has(ref)) return message;
      introduced.add(ref);
      const first = isBetaFirst ? 'beta' : 'alpha';
      return { ...message, refs: { ...(message['refs'] as object), [first]: `${first}-${ref}` } };
    });
}

async function tell(server: SmallServer, messages: readonly Message[], from = 0, to = messages.length): Promise<void> {
  for (const message of messages.slice(from, to)) {
    server.clock.time += MINUTE;
    await server.accept([message]);
  }
}

const act = (server: SmallServer, more: Message) => {
  const at = new Date(server.clock.time).toISOString();
  return server.accept([{ kind: 'identity', source: 'operator', at, ...more }]);
};

async function mergeAll(server: SmallServer): Promise<number> {
  let merged = 0;
  for (const { ref } of EVENTS) {
    const [alpha, beta] = await Promise.all(
      ['alpha', 'beta'].map((source) => server.identities.findEvent(source, `${source}-${ref}`)),
    );
    if (!alpha || !beta || alpha.id === beta.id) continue;
    // Some are over, and far apart.
    const [outcome] = await act(server, { action: 'merge', what: 'event', from: beta.id, into: alpha.id, force: true });
    expect(outcome).toMatchObject({ status: 'accepted' });
    merged++;
  }
  return merged;
}

const drawn = [history, order, fc.boolean(), fc.nat({ max: 200 })] as const;

it('given events that are merged, then every read is that of a server to which all was told of one event', async () => {
  await fc.assert(
    fc.asyncProperty(...drawn, async (messages, arrival, isBetaFirst, place) => {
      const seen = [false, true].map((isRight) =>
        withServer({ time: NOW }, async (server) => {
          const all = told(messages, arrival, isBetaFirst, isRight);
          await tell(server, all, 0, place);
          const merged = isRight ? 0 : await mergeAll(server);
          await tell(server, all, place);
          if (!isRight) await mergeAll(server);
          await server.projected();
          return { ...(await seenBy(server, isNoMemory)), waiting: await server.waiting(), merged };
        }),
      );
      const [wrong, right] = await Promise.all(seen);
      expect(wrong!.answers).toEqual(right!.answers);
      expect(wrong!.documents).toEqual(right!.documents);
      expect(wrong!.waiting).toEqual(right!.waiting);
    }),
    runs(30),
  );
});

it('given merges that are undone, then every document is as if they had never been', async () => {
  await fc.assert(
    fc.asyncProperty(...drawn, async (messages, arrival, isBetaFirst, place) => {
      const seen = [true, false].map((isMerged) =>
        withServer({ time: NOW }, async (server) => {
          const all = told(messages, arrival, isBetaFirst, false);
          await tell(server, all, 0, place);
          const acts = isMerged ? await mergeAll(server) : 0;
          for (let number = acts; number > 0; number--) {
            const [outcome] = await act(server, { action: 'undo', act: number });
            expect(outcome).toMatchObject({ status: 'accepted' });
          }
          await tell(server, all, place);
          await server.projected();
          return { documents: await server.documents(), waiting: await server.waiting() };
        }),
      );
      const [undone, never] = await Promise.all(seen);
      const [documents, expected] = [undone!, never!].map((one) =>
        Object.fromEntries(Object.entries(one.documents).filter(([name]) => isNoMemory(name))),
      );
      expect(withoutPositions(documents)).toEqual(withoutPositions(expected));
      expect(undone!.waiting).toEqual(never!.waiting);
    }),
    runs(30),
  );
});

/**
 * Answers as of a moment at which two events were one need every start that each ever had. Corrections tell what the act
 * itself has changed.
 */
const isNoMemory = (projection: string): boolean => !['team-starts', 'listings', 'corrections'].includes(projection);

/** Where a record lies in the log differs by the records of the acts. */
function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !POSITIONS.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutPositions(member)]));
}
const POSITIONS = new Set(['position', 'rowAt', 'changedAt', 'ground', 'grounds', 'namedBy', 'revision', 'id']);
