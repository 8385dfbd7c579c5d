import { expect, it } from 'vitest';
import type { BrokerClient, OutgoingMessage } from '../../src/messaging/broker/broker-client.ts';
import { topicsWithPrefix } from '../../src/messaging/broker/topics.ts';
import { createDeadLetterWriter, type DeadLetter } from '../../src/messaging/dead-letter-writer.ts';

const letter = (offset: number): DeadLetter => ({
  message: { offset, key: null, value: Buffer.from(`letter ${offset}`) } as DeadLetter['message'],
  rejection: { code: 'invalid_json', message: 'it is no JSON', path: '' },
});

/** A double of a broker on which another member moved the group's offset before it left. */
function brokerAt(place: number) {
  const written: OutgoingMessage[] = [];
  const places: number[] = [];
  const broker = {
    committed: async () => [place],
    openTransactions: async () => ({
      async write(messages: readonly OutgoingMessage[], { next }: { readonly next: number }) {
        written.push(...messages);
        places.push(next);
      },
      async close() {},
    }),
  } as unknown as BrokerClient;
  return { broker, written, places };
}

const valuesOf = (written: readonly OutgoingMessage[]) => written.map(({ value }) => String(value));

it('given that a former member has written the first letters of a batch that is longer now, then they come once', async () => {
  const { broker, written, places } = brokerAt(8);
  const letters = createDeadLetterWriter(broker, topicsWithPrefix(), 'group');
  await letters.write({ partition: 0, next: 10 }, [5, 7, 8, 9].map(letter));
  expect(valuesOf(written)).toEqual(['letter 8', 'letter 9']);
  await letters.write({ partition: 0, next: 12 }, [letter(11)]);
  expect(valuesOf(written)).toEqual(['letter 8', 'letter 9', 'letter 11']);
  expect(places).toEqual([10, 12]);
});

it('given that all letters of a batch were written before, then only the offset moves, or nothing', async () => {
  const behind = brokerAt(8);
  await createDeadLetterWriter(behind.broker, topicsWithPrefix(), 'group').write({ partition: 0, next: 10 }, [
    letter(6),
  ]);
  expect([behind.written, behind.places]).toEqual([[], [10]]);
  const beyond = brokerAt(10);
  await createDeadLetterWriter(beyond.broker, topicsWithPrefix(), 'group').write({ partition: 0, next: 10 }, [
    letter(6),
  ]);
  expect([beyond.written, beyond.places]).toEqual([[], []]);
});
