import { type Generated, type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import { addMissingColumns, type LaterColumns } from '../../platform/sqlite/schema-upgrades.ts';

/** An address that a user had. For some days its owner can take it back. Times are ISO 8601. */
interface EmailTakebackTable {
  id: Generated<number>;
  user_id: number;
  /** The address that the user had. */
  email: string;
  changed_at: string;
  /** Of the link that was mailed when the change was asked for; null: it had not been mailed by then. */
  asked_token_hash: string | null;
  /** Of the link that was mailed after the change. */
  changed_token_hash: string | null;
}

/** Which accounts an address has had. It outlives them, so that what an address gets once is not given again. */
interface AddressAccountTable {
  /** HMAC. */
  address: string;
  account_id: number;
}

/** Rewards that accounts have claimed. */
interface AccountRewardTable {
  account_id: number;
  reward: string;
}

export interface RecoveryTables {
  email_takebacks: EmailTakebackTable;
  address_accounts: AddressAccountTable;
  account_rewards: AccountRewardTable;
}

/** Columns that the tables of users got later. */
export const LATER_USER_COLUMNS = {
  users: { github_linked_at: 'text' },
  registrations: { browser: 'text', asked_from: 'text' },
  email_changes: { session_id: 'integer', undo_token_hash: 'text' },
  sessions: { confirmed_at: 'text' },
} as const satisfies Record<string, LaterColumns>;

/** What the recovery of an account needs, beside the tables of users. */
export async function createRecoveryTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { schema } = database;
  const { integer, id } = dialect.types;
  for (const [table, columns] of Object.entries<LaterColumns>(LATER_USER_COLUMNS)) {
    if (dialect === SQLITE) {
      await addMissingColumns(database, table, columns);
      continue;
    }
    for (const [column, type] of Object.entries(columns)) {
      const columnType = sql.raw(type === 'integer' ? integer : type);
      await sql`alter table ${sql.ref(table)} add column if not exists ${sql.ref(column)} ${columnType}`.execute(
        database,
      );
    }
  }
  await schema
    .createTable('email_takebacks')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('user_id', integer, (column) => column.notNull().references('users.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addColumn('asked_token_hash', 'text', (column) => column.unique())
    .addColumn('changed_token_hash', 'text', (column) => column.unique())
    .execute();
  await schema
    .createTable('address_accounts')
    .ifNotExists()
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addPrimaryKeyConstraint('address_accounts_key', ['address', 'account_id'])
    .execute();
  await schema
    .createTable('account_rewards')
    .ifNotExists()
    .addColumn('account_id', integer, (column) => column.notNull().references('accounts.id'))
    .addColumn('reward', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_rewards_key', ['account_id', 'reward'])
    .execute();
  const index = (table: string, columns: string[]) =>
    schema.createIndex(`${table}_by_${columns[0]}`).ifNotExists().on(table).columns(columns).execute();
  await index('email_takebacks', ['user_id', 'id']);
  await index('address_accounts', ['account_id']);
  await index('email_changes', ['undo_token_hash']);
}

/** All accounts that share an address with this one now or in the past, without itself. */
export const selectAccountsOfSameAddress = (database: Kysely<any>, accountId: number) =>
  (database as Kysely<RecoveryTables>)
    .selectFrom('address_accounts as own')
    .innerJoin('address_accounts as other', 'other.address', 'own.address')
    .select('other.account_id')
    .distinct()
    .where('own.account_id', '=', accountId)
    .where('other.account_id', '<>', accountId);
