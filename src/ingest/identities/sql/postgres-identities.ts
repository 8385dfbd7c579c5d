import { type Kysely, sql } from 'kysely';
import type { Migrations } from '../../../platform/postgres/migrations.ts';
import { renameTable } from '../../../platform/postgres/renamed-table.ts';
import type { QueryRunner } from '../../../platform/sql/query-runner.ts';
import type { Identities } from '../identities.ts';
import {
  createGroupIndex,
  estimateQuarantinedBytes,
  GROUP_COLUMNS,
  groupQuarantined,
  QUARANTINE_RENAMES,
} from './identity-tables.ts';
import { SqlIdentities } from './sql-identities.ts';

/** Texts are compared by their bytes, as in SQLite: `listQuarantineKeys` returns keys in that order. */
const FIRST_TABLES = [
  `create table id_counters (kind text collate "C" primary key, next bigint not null)`,
  `create table external_ids (
    key text collate "C" primary key, id bigint not null, turned integer not null,
    owner text collate "C" not null, bound_at bigint)`,
  `create index external_ids_owner on external_ids (owner)`,
  `create table names (key text collate "C" not null, id bigint not null, primary key (key, id))`,
  `create table fixtures (
    id bigint primary key, pair text collate "C", starts_at bigint not null,
    side_1 text collate "C" not null, side_2 text collate "C" not null)`,
  `create index fixtures_pair on fixtures (pair)`,
  `create index fixtures_side_1 on fixtures (side_1)`,
  `create index fixtures_side_2 on fixtures (side_2)`,
  `create table waiting (
    fingerprint text collate "C" primary key, message text not null, reason text not null,
    received_at text collate "C" not null, awaited text not null, accepted integer not null)`,
  `create table waiting_keys (key text collate "C" not null, fingerprint text collate "C" not null)`,
  `create index waiting_keys_key on waiting_keys (key)`,
  `create index waiting_keys_fingerprint on waiting_keys (fingerprint)`,
  `create table taken (fingerprint text collate "C" primary key, owner text not null, until bigint not null)`,
  `create table named_sources (source text collate "C" primary key)`,
  `create table waiting_numbers (
    source text collate "C" not null, waits_for text collate "C" not null, accepted integer not null,
    number bigint not null, primary key (source, waits_for, accepted))`,
];

/**
 * The column `turned` is called `swapped`. The release before runs beside this one, so a column with the old name stays
 * as well, and whichever of both a process writes, the other one follows.
 */
const SWAPPED = [
  `alter table external_ids rename column turned to swapped`,
  `alter table external_ids add column turned integer`,
  `update external_ids set turned = swapped`,
  `create function external_ids_swapped() returns trigger language plpgsql as $$
    begin
      if new.swapped is null then
        new.swapped := new.turned;
      elsif tg_op = 'UPDATE' and new.swapped = old.swapped and new.turned is distinct from old.turned then
        new.swapped := new.turned;
      end if;
      new.turned := new.swapped;
      return new;
    end $$`,
  `create trigger external_ids_swapped before insert or update on external_ids
    for each row execute function external_ids_swapped()`,
];

export const IDENTITY_MIGRATIONS: Migrations = {
  subject: 'identities',
  steps: [
    async (db) => {
      for (const table of FIRST_TABLES) await sql.raw(table).execute(db);
    },
    async (db) => {
      await sql`alter table waiting add column if not exists sparing integer`.execute(db);
    },
    async (db) => {
      for (const statement of SWAPPED) await sql.raw(statement).execute(db);
      for (const rename of QUARANTINE_RENAMES) await renameTable(db, rename);
    },
    async (db) => {
      await sql`alter table quarantine_counts add column if not exists bytes bigint`.execute(db);
      await estimateQuarantinedBytes(db);
    },
    async (db) => {
      for (const column of Object.keys(GROUP_COLUMNS)) {
        await sql.raw(`alter table quarantine add column if not exists ${column} text collate "C"`).execute(db);
      }
      await groupQuarantined(db);
      await createGroupIndex(db);
    },
    async (db) => {
      // SQLite has this column in every table.
      await sql`alter table quarantine_keys add column if not exists rowid bigserial`.execute(db);
      await sql`create index if not exists quarantine_keys_order on quarantine_keys (key, rowid)`.execute(db);
      await sql`drop index if exists quarantine_keys_key`.execute(db);
    },
  ],
};

interface PostgresIdentitiesOptions {
  /** The time at which refs are bound, in milliseconds. */
  readonly now: () => number;
  /** Ids that are reserved together; default 20. */
  readonly block?: number;
}

/**
 * One instance on a database that other processes use too. It sends no query before its first use.
 * @param db with the tables of `IDENTITY_MIGRATIONS`
 */
export const postgresIdentities = (
  { db, runner }: { readonly db: Kysely<any>; readonly runner: QueryRunner },
  options: PostgresIdentitiesOptions,
): Identities => SqlIdentities.openOnExistingTables(db, runner, options);
