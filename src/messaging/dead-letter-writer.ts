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
  /**
   * Writes the letters and commits the batch, both or neither. Skips letters that another member has written already.
   */
  write(batch: Pick<ConsumedBatch, 'partition' | 'next'>, letters: readonly DeadLetter[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Stores refused messages as they were sent, with the reason.
 * The letters of each partition are written under a transactional id of its own, in one transaction with the group's
 * offset. A member that begins to use that id ends the open transaction of the former member. It then sees whether the
 * group is past the batch. So each letter is written once, even if a member dies or hangs in between.
 */
export function createDeadLetterWriter(
  broker: BrokerClient,
  { ingest, deadLetters }: Topics,
  group: string,
): DeadLetterWriter {
  const open = new Map<number, Transactions>();

  async function begin(partition: number): Promise<{ transactions: Transactions; committed: number }> {
    const transactions = await broker.openTransactions(`${ingest}.${partition}`);
    const offsets = await broker.committed(group, ingest).catch(async (error: unknown) => {
      await transactions.close();
      throw error;
    });
    return { transactions, committed: offsets[partition] ?? 0 };
  }

  return {
    async write({ partition, next }, letters) {
      let transactions = open.get(partition);
      let missing = letters;
      if (!transactions) {
        const begun = await begin(partition);
        transactions = begun.transactions;
        open.set(partition, transactions);
        if (begun.committed >= next) return;
        // The former member's batch may have been shorter, because it was fetched before the last messages came.
        missing = letters.filter(({ message }) => message.offset >= begun.committed);
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
