import type { Generated, Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../platform/sql/dialects.ts';
import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { withColumns } from '../../platform/sqlite/schema-upgrades.ts';
import type { KeyTables } from '../keys/key-tables.ts';
import { LATER_USER_COLUMNS, type RecoveryTables } from './recovery-tables.ts';

/** Personal data is stored only in these tables and in `accounts.email`. Times are ISO 8601 unless noted. */
export interface UserTable {
  id: Generated<number>;
  /** Null until the address is verified. */
  account_id: number | null;
  /** Lower case, with an ASCII domain; null: deleted. */
  email: string | null;
  name: string | null;
  timezone: string;
  password_hash: string | null;
  github_id: string | null;
  /** Null: it is not linked, or an earlier version linked it. */
  github_linked_at: string | null;
  /** 0 or 1. */
  is_staff: number;
  role: string;
  created_at: string;
  verified_at: string | null;
  suspended_at: string | null;
  deleted_at: string | null;
  /** The path to open after the first sign-in. */
  leads_to: string | null;
  /** E-mail address and name in lower case, one line each; null: deleted. */
  search_text: string | null;
}

/** Each registration has its own password and link. When the link of one is opened, the others are deleted. */
export interface RegistrationTable {
  id: Generated<number>;
  user_id: number;
  password_hash: string;
  name: string | null;
  plan: string;
  made_at: string;
  /** Of the newest link; null: no link was mailed yet. */
  token_hash: string | null;
  link_made_at: string | null;
  /** When the link was opened and the user verified. */
  opened_at: string | null;
  /** HMAC of the cookie of the browser that has registered; null: an earlier version stored the row. */
  browser: string | null;
  /** For the owner of the address: which browser has asked, and from where. */
  asked_from: string | null;
}

/** One row per user: the newest change. It counts only while the session that asked for it goes on. */
interface EmailChangeTable {
  id: Generated<number>;
  user_id: number;
  email: string;
  made_at: string;
  token_hash: string | null;
  link_made_at: string | null;
  opened_at: string | null;
  session_id: number | null;
  /** Of the link that was mailed to the old address. */
  undo_token_hash: string | null;
}

/** One row per user: the newest reset. */
interface PasswordResetTable {
  user_id: number;
  token_hash: string;
  made_at: string;
}

/** Ended sessions are deleted. */
interface SessionTable {
  id: Generated<number>;
  user_id: number;
  token_hash: string;
  created_at: string;
  last_used_at: string;
  /** 0 or 1: whether the session outlives the browser. */
  is_remembered: number;
  ip: string;
  user_agent: string;
  /** When the user last proved who he is: by a sign-in, or with the password. Null: at `created_at`. */
  confirmed_at: string | null;
}

/** Attempts that count against a limit. */
interface AttemptTable {
  id: Generated<number>;
  kind: string;
  /** HMAC of an address, a network, a user id, or address and network. */
  subject: string;
  /** Milliseconds. */
  at: number;
}

/** Addresses whose account may have received the free grant. */
interface GrantedAddressTable {
  /** HMAC. */
  address: string;
  at: string;
}

/** Work that follows a change: mails, and the end of an account. */
export interface JobTable {
  id: Generated<number>;
  kind: string;
  /** JSON. */
  content: string;
  /** The user whose deletion also deletes the job; null: none. */
  user_id: number | null;
  at: string;
  /** Milliseconds: a process works on the job until then. */
  taken_until: number | null;
}

export interface SecurityEventTable {
  id: Generated<number>;
  at: string;
  type: string;
  severity: string;
  user_id: number | null;
  by_user_id: number | null;
  path: string | null;
  ip: string | null;
  user_agent: string | null;
}

export interface UserTables extends RecoveryTables {
  users: UserTable;
  registrations: RegistrationTable;
  email_changes: EmailChangeTable;
  password_resets: PasswordResetTable;
  sessions: SessionTable;
  attempts: AttemptTable;
  granted_addresses: GrantedAddressTable;
  background_jobs: JobTable;
  security_events: SecurityEventTable;
}

/** The users' tables and their accounts. */
export type UserDatabase = UserTables & Pick<KeyTables, 'accounts'>;

/** The name that earlier versions stored. */
export const JOBS_RENAME: StoredRename = { from: 'errands', to: 'background_jobs' };

export async function createUserTables(database: Kysely<any>, dialect: SqlDialect = SQLITE): Promise<void> {
  const { schema } = database;
  const { integer, id } = dialect.types;
  // On PostgreSQL this is a step that never changes: a later one renames the table.
  const jobs = dialect === SQLITE ? JOBS_RENAME.to : JOBS_RENAME.from;
  const later = (table: keyof typeof LATER_USER_COLUMNS) =>
    withColumns(dialect === SQLITE ? LATER_USER_COLUMNS[table] : {});
  const ofUser = (name: string) =>
    schema
      .createTable(name)
      .ifNotExists()
      .addColumn('id', integer, id)
      .addColumn('user_id', integer, (column) => column.notNull().references('users.id'));
  await schema
    .createTable('users')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('account_id', integer, (column) => column.unique().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.unique())
    .addColumn('name', 'text')
    .addColumn('timezone', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('github_id', 'text', (column) => column.unique())
    .addColumn('is_staff', 'integer', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('verified_at', 'text')
    .addColumn('suspended_at', 'text')
    .addColumn('deleted_at', 'text')
    .addColumn('leads_to', 'text')
    .addColumn('search_text', 'text')
    .$call(later('users'))
    .execute();
  await ofUser('registrations')
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('plan', 'text', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.unique())
    .addColumn('link_made_at', 'text')
    .addColumn('opened_at', 'text')
    .$call(later('registrations'))
    .execute();
  await ofUser('email_changes')
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.unique())
    .addColumn('link_made_at', 'text')
    .addColumn('opened_at', 'text')
    .addUniqueConstraint('email_changes_one_a_user', ['user_id'])
    .$call(later('email_changes'))
    .execute();
  await schema
    .createTable('password_resets')
    .ifNotExists()
    .addColumn('user_id', integer, (column) => column.primaryKey().references('users.id'))
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('made_at', 'text', (column) => column.notNull())
    .execute();
  await ofUser('sessions')
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text', (column) => column.notNull())
    .addColumn('is_remembered', 'integer', (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .$call(later('sessions'))
    .execute();
  await schema
    .createTable('attempts')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('at', integer, (column) => column.notNull())
    .execute();
  await schema
    .createTable('granted_addresses')
    .ifNotExists()
    .addColumn('address', 'text', (column) => column.primaryKey())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable(jobs)
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('taken_until', integer)
    .execute();
  await schema
    .createTable('security_events')
    .ifNotExists()
    .addColumn('id', integer, id)
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('by_user_id', integer)
    .addColumn('path', 'text')
    .addColumn('ip', 'text')
    .addColumn('user_agent', 'text')
    .execute();
  const index = (table: string, columns: string[]) =>
    schema.createIndex(`${table}_by_${columns[0]}`).ifNotExists().on(table).columns(columns).execute();
  // Staff search for any part of the text. That is a scan, but of this index, not of whole rows.
  await index('users', ['search_text', 'email']);
  await index('registrations', ['user_id', 'id']);
  await index('sessions', ['user_id', 'last_used_at']);
  await index('attempts', ['kind', 'subject', 'at']);
  await index('attempts', ['at']);
  await index('security_events', ['user_id', 'id']);
  await index('security_events', ['at']);
  await index('security_events', ['severity', 'id']);
  if (dialect === SQLITE) await addSessionIndex(database);
}

/** Sessions of a user by age. */
export const addSessionIndex = ({ schema }: Kysely<any>): Promise<void> =>
  schema.createIndex('sessions_by_user_and_id').ifNotExists().on('sessions').columns(['user_id', 'id']).execute();
