import type { Rejection } from '../domain/feed/rejection.ts';
import type {
  BrokerClient,
  ConsumedBatch,
  OutgoingMessage,
  ReceivedMessage,
  Transactions,
} from './broker/broker-client.ts';
import type { Topics } from './broker/topics.ts';

export interface DeadLetter {
  readonly message: ReceivedMessage;
  readonly rejection: Rejection;
}

interface DeadLetterWriter {
  /** Writes them and commits the batch, both or nothing. What another member has written already, it does not repeat. */
  write(batch: Pick<ConsumedBatch, 'partition' | 'next'>, letters: readonly DeadLetter[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * What was refused, as it was sent, with the reason. Each partition's are written under a name of its own, in one
 * transaction with the place of the group: whoever begins to write under that name ends what another one has not ended,
 * and then sees whether the group is past the batch. So each comes once, whoever dies or stands still in between.
 */
export function createDeadLetterWriter(
  broker: BrokerClient,
  { ingest, deadLetters }: Topics,
  group: string,
): DeadLetterWriter {
  const open = new Map<number, Transactions>();

  async function begin(partition: number): Promise<{ transactions: Transactions; place: number }> {
    const transactions = await broker.openTransactions(`${ingest}.${partition}`);
    const places = await broker.committed(group, ingest).catch(async (error: unknown) => {
      await transactions.close();
      throw error;
    });
    return { transactions, place: places[partition] ?? 0 };
  }

  return {
    async write({ partition, next }, letters) {
      let transactions = open.get(partition);
      let missing = letters;
      if (!transactions) {
        const begun = await begin(partition);
        transactions = begun.transactions;
        open.set(partition, transactions);
        if (begun.place >= next) return;
        // The other one's batch may have been shorter: it was asked for before the last messages came.
        missing = letters.filter(({ message }) => message.offset >= begun.place);
      }
      try {
        const messages = missing.map((letter) => deadLetterMessage(deadLetters, partition, letter));
        await transactions.write(messages, { group, topic: ingest, partition, next });
      } catch (error) {
        open.delete(partition);
        await transactions.close();
        throw error;
      }
    },
    async close() {
      await Promise.all([...open.values()].map((transactions) => transactions.close()));
      open.clear();
    },
  };
}

function deadLetterMessage(topic: string, partition: number, { message, rejection }: DeadLetter): OutgoingMessage {
  const { key, value, offset } = message;
  const { code, message: reason, path } = rejection;
  const headers = { code, message: reason, path, partition: String(partition), offset: String(offset) };
  return { topic, partition, key, value, headers };
}
