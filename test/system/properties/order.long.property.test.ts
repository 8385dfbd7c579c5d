import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seenBy } from './renaming.ts';
import { runs } from './runs.ts';
import { type Message, type SmallServer, withServer } from './small-server.ts';
import { arranged, history, NOW, order } from './world.ts';

async function send(server: SmallServer, batches: readonly (readonly Message[])[]): Promise<void> {
  for (const batch of batches) await server.accept(batch);
  await server.projected();
}

const outcomeOf = (batches: readonly (readonly Message[])[]) =>
  withServer({ time: NOW }, async (server) => {
    await send(server, batches);
    return { seen: await seenBy(server), waiting: await server.waiting() };
  });

it('comes to the same, whatever the order in which a complete history arrives', async () => {
  await fc.assert(
    fc.asyncProperty(history, order, order, async (messages, one, other) => {
      const first = await outcomeOf(arranged(messages, one));
      const second = await outcomeOf(arranged(messages, other));
      expect(second.seen.documents).toEqual(first.seen.documents);
      expect(second.seen.answers).toEqual(first.seen.answers);
      expect(first.waiting).toEqual([]);
      expect(second.waiting).toEqual([]);
    }),
    runs(30),
  );
});
