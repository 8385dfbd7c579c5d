import { sql } from 'kysely';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { createSqlWebhookStore } from './sql-webhook-store.ts';
import type { WebhookStore } from './webhook-store.ts';

const CHANNEL = 'webhooks_due';
/**
 * A PostgreSQL notice holds less than 8000 bytes. With more ids than this, it is sent without ids and means all
 * subscriptions.
 */
const MAX_NOTICE_IDS = 400;

interface DueNotice {
  readonly from: string;
  readonly ids?: readonly number[];
}

/**
 * A webhook store in PostgreSQL for several processes. A process that makes messages due notifies the others.
 * @param name of this process. It ignores its own notices; with an empty name it gets them too
 */
export function createPostgresWebhookStore(postgres: Postgres, box: SecretBox, name = ''): WebhookStore {
  const { db, locking, listen } = postgres;
  const store = createSqlWebhookStore(db, locking, POSTGRES, box);

  /** Not awaited: without the notice, a poll finds the messages a little later. */
  function notifyOthers(subscriptionIds: Iterable<number>): void {
    const ids = [...new Set(subscriptionIds)];
    const notice: DueNotice = { from: name, ...(ids.length <= MAX_NOTICE_IDS && { ids }) };
    const statement = sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notice)})`;
    void locking.all({ compile: () => statement.compile(db) }).catch(() => {});
  }

  return {
    ...store,
    async publish(messages, position) {
      await store.publish(messages, position);
      if (messages.length > 0) notifyOthers(messages.map(({ subscriptionId }) => subscriptionId));
    },
    async add(message) {
      const added = await store.add(message);
      notifyOthers([message.subscriptionId]);
      return added;
    },
    async replay(id, after, now, terms) {
      const count = await store.replay(id, after, now, terms);
      if (count > 0) notifyOthers([id]);
      return count;
    },
    onDue(listener) {
      const end = listen(CHANNEL, (payload) => {
        const notice = payload === undefined ? undefined : (JSON.parse(payload) as DueNotice);
        if (name === '' || notice?.from !== name) listener(notice?.ids);
      });
      return () => void end();
    },
  };
}
