import { setTimeout as delay } from 'node:timers/promises';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createRecordMapper } from '../../../src/read-models/change-feed/record-mapper.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { must, readLog } from './check-kept.ts';
import { ask } from './clients.ts';
import type { Receiver } from './webhook-receiver.ts';

/** The end of the log of a folder; 0: it is empty. */
async function endOfLog(folder: string): Promise<bigint> {
  const parts = await openForReading({ dataDir: folder });
  try {
    return (await parts.log.head()) ?? 0n;
  } finally {
    await parts.close();
  }
}

/** The bodies of all changes of scores after a position, as webhooks tell them. */
export async function scoresAfter(folder: string, position: bigint): Promise<readonly string[]> {
  const parts = await openForReading({ dataDir: folder });
  try {
    const changes = await createRecordMapper(parts)(await readLog(folder), () => true);
    return changes
      .filter((change) => change.eventType === 'score' && change.position > position)
      .map(({ eventType, at, data }) => JSON.stringify({ type: eventType, timestamp: at, data }));
  } finally {
    await parts.close();
  }
}

interface StoredMessage {
  readonly id: number;
  readonly body: string;
  /** Null: no attempt is due any more. */
  readonly next_attempt_at: number | null;
}

/** A subscription to all scores, which is asked for after each start until it is there. */
export class ScoreSubscription {
  readonly #folder: string;
  readonly #receiver: Receiver;
  readonly #path: string;
  /**
   * The ends of the log before it was asked for, and when it was there. A power failure may take back what nobody was
   * told of yet, so the lowest one counts.
   */
  #asked: bigint | undefined;
  #made: bigint | undefined;

  /** @param name another one for each folder */
  constructor(folder: string, receiver: Receiver, name: string) {
    this.#folder = folder;
    this.#receiver = receiver;
    this.#path = `/${name}`;
  }

  async ensure(url: string, key: string): Promise<void> {
    if (this.#made !== undefined) return;
    const end = await endOfLog(this.#folder);
    if (this.#asked === undefined || end < this.#asked) this.#asked = end;
    const body = JSON.stringify({ url: this.#receiver.url + this.#path, event_types: ['score'] });
    // A start before this one may have made it, and ended before its answer.
    const headers = { 'idempotency-key': `scores${this.#path}` };
    const { status, text } = await ask(`${url}/v1/webhooks`, key, { method: 'POST', body, headers });
    must(status === 201, () => `a webhook: ${status} ${text}`);
    this.#made = await endOfLog(this.#folder);
  }

  /**
   * Waits until each score since the subscription came, or the store owes none of them any more. What came before it is
   * owed to nobody: a check after a start may fail, and clients work all the same.
   * @throws Broken
   */
  async expectAllCame(stderr: () => string): Promise<void> {
    const database = openSqliteDatabase({ file: databaseFile(this.#folder), readonly: true });
    try {
      const subscriptions = database.prepare('SELECT id, is_active, created_after FROM webhook_subscriptions').all();
      must(subscriptions.length === 1, () => `${subscriptions.length} subscriptions: ${JSON.stringify(subscriptions)}`);
      const since = BigInt((subscriptions as { created_after: string | null }[])[0]!.created_after ?? 0);
      must(
        since >= this.#asked! && since <= this.#made!,
        () => `it tells of what came after ${since}, and was made between ${this.#asked} and ${this.#made}`,
      );
      const owed = await scoresAfter(this.#folder, since);
      const came = () => [...(this.#receiver.bodies.get(this.#path)?.values() ?? [])];
      const stored = () => database.prepare('SELECT * FROM webhook_messages').all() as unknown as StoredMessage[];
      const isPending = () => {
        const messages = stored();
        return messages.length < owed.length || messages.some((message) => message.next_attempt_at !== null);
      };
      for (const end = Date.now() + patientTimeout(30_000); came().length < owed.length && Date.now() < end; ) {
        if (!isPending()) break;
        await delay(20);
      }
      const told = came();
      const missing = owed.filter((body) => !told.includes(body));
      const said = () => {
        const attempts = database.prepare('SELECT * FROM webhook_deliveries WHERE message_id = ?');
        const messages = stored().filter(({ body }) => missing.includes(body));
        return JSON.stringify({
          subscriptions,
          messages: messages.map(({ body: _, ...message }) => ({ ...message, attempts: attempts.all([message.id]) })),
        });
      };
      must(
        missing.length === 0,
        () =>
          `webhooks that never came: ${missing.length} of ${owed.length}, ${missing[0]}; the store says: ${said()}; ` +
          `the server: ${stderr().slice(-2000)}`,
      );
      must(told.length === owed.length, () => `${told.length} webhooks came, and ${owed.length} were owed`);
    } finally {
      database.close();
    }
    const { contradictions } = this.#receiver;
    must(contradictions.length === 0, () => `one id, two contents: ${contradictions}`);
  }
}
