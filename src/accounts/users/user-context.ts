import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { formatNetwork, parseIpAddress, unmapIpv4 } from '../../platform/ip-address.ts';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { Compilable, QueryRunner, QuerySteps } from '../../platform/sql/query-runner.ts';
import type { RandomBytes } from '../keys/key-format.ts';
import type { PasswordHashing } from './password-hashing.ts';
import type { UserDatabase } from './user-tables.ts';

export interface UserContextParts {
  readonly database: Kysely<any>;
  /** Its transactions see what others commit meanwhile, where others write. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
  /** Closed, nothing is made or ended. */
  readonly gate: WriteGate;
  /** What tokens, addresses and IPs are hashed with. */
  readonly pepper: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

/** What all that concerns people stands on. */
export interface UserContext {
  readonly database: Kysely<UserDatabase>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly passwords: PasswordHashing;
  all<Row>(query: Compilable<Row>): Promise<readonly Row[]>;
  read<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /** All steps or none, while nobody else changes people. They may be begun again. */
  transactExclusive<Result>(steps: () => QuerySteps<Result>): Promise<Result>;
  /** All steps or none, beside others of other names, while nobody changes people. They may be begun again. */
  transactShared<Result>(names: readonly string[], steps: () => QuerySteps<Result>): Promise<Result>;
  /** HMAC in hexadecimal; the kind keeps equal texts of two kinds apart. */
  digest(kind: DigestKind, text: string): string;
  /** 256 random bits. */
  newToken(): string;
}

type DigestKind = 'address' | 'ip' | 'address from ip' | 'user' | 'session' | 'link' | 'reset';

const LOCK = 'ledgerline people';
const TOKEN_BYTES = 32;

export function createUserContext(parts: UserContextParts, passwords: PasswordHashing): UserContext {
  const { runner, dialect, gate, pepper, now, randomBytes } = parts;

  function* lock(names: readonly string[], how: 'alone' | 'shared'): QuerySteps<void> {
    // In one order everywhere, so that nobody waits for each other.
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
    ...{ database: parts.database as Kysely<UserDatabase>, now, passwords },
    all: (query) => runner.all(query),
    read: (steps) => runner.read(steps),
    transactExclusive: (steps) => write([], 'alone', steps),
    transactShared: (names, steps) => write(names, 'shared', steps),
    digest: (kind, text) => createHmac('sha256', pepper).update(`ledgerline ${kind}\n${text}`).digest('hex'),
    newToken: () => Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url'),
  };
}

/** As it is written: all of the same length, so that texts are in the order of the times. */
export const toIsoText = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** The one character that PostgreSQL keeps in no text. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** What one customer has: a network of 64 bits is one address. */
export function clientNetworkOf(ip: string): string {
  const address = parseIpAddress(ip);
  return address ? formatNetwork(unmapIpv4(address)) : ip;
}
