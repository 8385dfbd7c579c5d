import { type Kysely, sql } from 'kysely';
import type { Postgres } from '../../../platform/postgres/open-postgres.ts';
import type { SharedFeedAge, SharedFeedAges } from './shared-feed-ages.ts';

interface FeedAgeTables {
  feed_ages: {
    /** The table has one row. */
    id: number;
    /** JSON. */
    ages: string;
  };
}

const ROW = 1;
const CHANNEL = 'feed_ages';
/** A notice holds less than 8000 bytes. A longer text is read from the table. */
const MAX_NOTICE_BYTES = 7900;

export async function createFeedAgesTable({ schema }: Kysely<any>): Promise<void> {
  await schema
    .createTable('feed_ages')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('ages', 'text', (column) => column.notNull())
    .execute();
}

/** In the registry of a cluster. Every change is one row, and a notice to the processes that follow. */
export function createPostgresFeedAges({
  db,
  listen,
}: {
  readonly db: Kysely<FeedAgeTables>;
  readonly listen: Postgres['listen'];
}): SharedFeedAges {
  async function read(): Promise<readonly SharedFeedAge[]> {
    const row = await db.selectFrom('feed_ages').select('ages').where('id', '=', ROW).executeTakeFirst();
    return row ? (JSON.parse(row.ages) as SharedFeedAge[]) : [];
  }

  return {
    read,
    async write(written) {
      const ages = JSON.stringify(written);
      const notice = Buffer.byteLength(ages) < MAX_NOTICE_BYTES ? ages : '';
      await db
        .with('written', (query) =>
          query
            .insertInto('feed_ages')
            .values({ id: ROW, ages })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ ages })),
        )
        .selectNoFrom(sql`pg_notify(${CHANNEL}, ${notice})`.as('told'))
        .execute();
    },
    follow(onAges) {
      let isEnded = false;
      const tell = (ages: readonly SharedFeedAge[]): void => {
        if (!isEnded) onAges(ages);
      };
      // While the registry cannot be read, what was told last stays: it grows old by itself.
      const readAgain = (): void => void read().then(tell, () => {});
      const end = listen(CHANNEL, (notice) => {
        if (notice) tell(JSON.parse(notice) as SharedFeedAge[]);
        else readAgain();
      });
      return () => {
        isEnded = true;
        void end();
      };
    },
  };
}
