import { createHmac } from 'node:crypto';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { Compilable, QueryRunner, QuerySteps } from '../../platform/sql/query-runner.ts';
import type { RandomBytes } from '../keys/key-format.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { UserDatabase } from './user-tables.ts';

export interface UserContextParts {
  readonly database: Kysely<any>;
  /** Where others write too, its transactions see what others commit meanwhile. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
  /** While it is closed, nothing is created or ended. */
  readonly gate: WriteGate;
  /** The secret that hashes tokens, addresses and IPs. */
  readonly pepper: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

/** What all user operations share. */
export interface UserContext extends RegistryContext {
  readonly passwords: PasswordHashing;
}

/** The tables of users, and what keeps changes of them whole. */
export interface RegistryContext {
  readonly database: Kysely<UserDatabase>;
  /** Milliseconds. */
  readonly now: () => number;
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  read<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /** Runs all steps or none, while no other process changes users. The steps may be restarted. */
  transactExclusive<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /**
   * Runs all steps or none, together with other shared transactions with other lock names, but not with exclusive ones.
   * The steps may be restarted.
   */
  transactShared<Result>(names: readonly string[], steps: () => QuerySteps<Result>): Promise<Result>;
  /** The rows of a subquery that others may be deleting too: these are left to them. */
  unlocked<Table extends keyof UserDatabase, Output>(
    rows: SelectQueryBuilder<UserDatabase, Table, Output>,
  ): SelectQueryBuilder<UserDatabase, Table, Output>;
  /** HMAC in hexadecimal. The kind separates equal texts of different kinds. */
  digest(kind: DigestKind, text: string): string;
  /** 256 random bits. */
  newToken(): string;
}

type DigestKind =
  | 'address'
  | 'ip'
  | 'address from ip'
  | 'browser'
  | 'user'
  | 'account'
  | 'session'
  | 'link'
  | 'reset'
  | 'visitor'
  | 'device code'
  | 'user code';

const LOCK = 'ledgerline people';
const TOKEN_BYTES = 32;

export const createUserContext = (parts: UserContextParts, passwords: PasswordHashing): UserContext => ({
  ...createRegistryContext(parts),
  passwords,
});

export function createRegistryContext(parts: UserContextParts): RegistryContext {
  const { runner, dialect, gate, pepper, now, randomBytes } = parts;

  function* lock(names: readonly string[], how: 'alone' | 'shared'): QuerySteps<void> {
    // Take locks in the same order everywhere, to avoid deadlocks.
    yield [...dialect.lock(LOCK, how), ...[...names].sort().flatMap((name) => dialect.lock(`${LOCK} ${name}`))];
  }

  async function write<Result>(names: readonly string[], how: 'alone' | 'shared', steps: () => QuerySteps<Result>) {
    gate.assertOpen();
    return runner.transact(function* (): QuerySteps<Result> {
      yield* lock(names, how);
      return yield* steps();
    });
  }

  return {
    database: parts.database as Kysely<UserDatabase>,
    now,
    all: (query) => runner.all(query),
    read: (steps) => runner.read(steps),
    transactExclusive: (steps) => write([], 'alone', steps),
    transactShared: (names, steps) => write(names, 'shared', steps),
    unlocked: (rows) => (dialect.isShared ? rows.forUpdate().skipLocked() : rows),
    digest: (kind, text) => createHmac('sha256', pepper).update(`ledgerline ${kind}\n${text}`).digest('hex'),
    newToken: () => Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url'),
  };
}

/** Removes NUL, the only character that PostgreSQL cannot store in a text. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');
