import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { RedisConnection } from '../../platform/redis-connection.ts';
import { LimitsNotConnected, LimitsUnavailable } from '../../platform/redis-connection.ts';
import type {
  AdmissionRequest,
  CallLease,
  LimitDecision,
  LimitInheritance,
  LimitRule,
  Limits,
  WindowState,
} from './limits.ts';
import { ADMIT, INHERIT, REACQUIRE, RELEASE, RENEW, UNCOUNT } from './redis-limit-scripts.ts';

interface RedisLimitsParts {
  readonly connection: RedisConnection;
  /** Of this process alone, for as long as it runs: of letters, digits, `-`, `_` and `.`. */
  readonly owner: string;
  /** Before all names there. */
  readonly prefix?: string;
  /** Milliseconds, in place of the server's own clock: for tests. All owners need the same. */
  readonly now?: (() => number) | undefined;
}

interface RedisLimits extends Limits {
  /** Calls that hold something, and those that may: their number is bounded by what is in flight. */
  readonly size: CacheSize;
}

/** Places told of in one step after the server has lost them. */
const REACQUIRE_BATCH = 300;
/** Places are told of again after so many signs of life, before the server forgets them: it keeps them for an hour. */
const HEARTBEATS_PER_REACQUIRE = 600;
/** Calls of which nobody knows whether they hold something; beyond it the oldest ones are left to time. */
const MAX_UNCERTAIN_LEASES = 10_000;
const BYTES_OF_LEASE = 300;

/** So far, of this process: each goes by a name of its own. */
let opened = 0;

/**
 * Limits that all processes share at a server. Its clock is the clock of all windows and leases. A call is one script,
 * so that those of the same moment come one after the other.
 */
export function openRedisLimits(parts: RedisLimitsParts): RedisLimits {
  const { connection, prefix = 'limits:', now } = parts;
  const owner = `${parts.owner}-${++opened}`;
  const time = (): string => (now ? String(now()) : '');
  const holding = new Set<RedisLease>();
  const unclear: RedisLease[] = [];
  let life = 0;
  let name = `${owner}.${life}`;
  let calls = 0;
  let signs = 0;
  /** A sign of life did not arrive: who is taken for dead for that has not slept. */
  let wasAway = false;

  const nextName = (): string => `${owner}.${life + 1}`;

  /** The server says by which name this process goes there. Calls that came there together are told the same. */
  function heard(state: unknown, as: unknown): void {
    if (as === nextName()) {
      life++;
      name = as;
      // A process that slept for too long: what its calls held is others' now.
      if (!wasAway) for (const lease of holding) lease.lapse();
      else void takeAgain();
    } else if (as === name && state === 'lost' && holding.size > 0) void takeAgain();
    wasAway = false;
  }

  /** What calls and streams of this process hold counts again. */
  async function takeAgain(): Promise<void> {
    const all = [...holding].filter(({ place }) => place !== undefined);
    for (let first = 0; first < all.length; first += REACQUIRE_BATCH) {
      const told = all.slice(first, first + REACQUIRE_BATCH).filter((lease) => holding.has(lease));
      for (const lease of told) lease.member = memberOf(name, lease);
      const each = told.flatMap(({ place, keyId, member }) => [place!.of, keyId, member]);
      await connection.send(REACQUIRE, [], [prefix, '', ...each]);
    }
  }

  function release(lease: RedisLease): void {
    if (!holding.delete(lease)) return;
    const { place, keyId, member } = lease;
    if (!place) return;
    void connection.send(RELEASE, [], [prefix, '', place.of, keyId, member]).then((hasArrived) => {
      if (!hasArrived) doubt(lease);
    });
  }

  async function uncount({ window, keyId, member, at }: RedisLease): Promise<WindowState | undefined> {
    if (!window) return;
    const reply = await connection.run(UNCOUNT, [], [prefix, at, window.of, keyId, member]);
    const [counted, resetAt] = reply as [number, number];
    return { counted, resetAt };
  }

  function doubt(lease: RedisLease): void {
    if (unclear.length >= MAX_UNCERTAIN_LEASES) unclear.shift();
    unclear.push(lease);
  }

  /** What calls may have left behind whose answers did not come. */
  async function clear(): Promise<void> {
    for (const lease of unclear.splice(0)) {
      const { place, window, keyId, member, isCounted } = lease;
      const cleared = await Promise.all([
        place ? connection.send(RELEASE, [], [prefix, '', place.of, keyId, member]) : true,
        window && !isCounted ? connection.send(UNCOUNT, [], [prefix, time(), window.of, keyId, member]) : true,
      ]);
      if (cleared.includes(false)) return doubt(lease);
    }
  }

  return {
    get size() {
      return { bytes: BYTES_OF_LEASE * (holding.size + unclear.length), limit: undefined };
    },
    async admit({ keyId, at, rules }: AdmissionRequest): Promise<LimitDecision> {
      const lease = new RedisLease(keyId, at, ++calls, { release, uncount });
      for (const rule of rules) lease[rule.kind] = rule;
      const asked = [prefix, time(), name, nextName(), lease.number, keyId];
      lease.member = memberOf(name, lease);
      let reply: readonly [state: string, name: string, rule: number, counted: number, resetAt: number, at: number];
      try {
        const each = rules.flatMap(({ kind, of, max }) => [kind, of, max]);
        reply = (await connection.run(ADMIT, [], [...asked, ...each])) as unknown as typeof reply;
      } catch (error) {
        if (error instanceof LimitsNotConnected) throw error;
        // Under the one name or the other.
        doubt(lease);
        doubt(lease.as(memberOf(nextName(), lease)));
        throw error;
      }
      const [state, as, refusing, counted, resetAt, engineTime] = reply;
      lease.member = memberOf(as, lease);
      heard(state, as);
      const window = counted < 0 ? undefined : { counted, resetAt };
      if (refusing >= 0) return { admitted: false, by: rules[refusing]!, window, at: engineTime };
      lease.at = engineTime;
      lease.isCounted = true;
      if (lease.place) holding.add(lease);
      return { admitted: true, window, lease };
    },
    async inherit({ keyId, maker, revoked }: LimitInheritance) {
      await connection.run(INHERIT, [], [prefix, time(), keyId, maker, ...revoked]);
    },
    async renew() {
      let reply: readonly [state: string, name: string];
      try {
        reply = (await connection.run(RENEW, [], [prefix, time(), name, nextName()])) as unknown as typeof reply;
      } catch (error) {
        if (error instanceof LimitsUnavailable) wasAway = true;
        throw error;
      }
      heard(...reply);
      await clear();
      if (++signs % HEARTBEATS_PER_REACQUIRE === 0) await takeAgain();
    },
  };
}

const memberOf = (name: string, { number, keyId }: Pick<RedisLease, 'number' | 'keyId'>): string =>
  `${name}|${number}|${keyId}`;

interface LeaseActions {
  release(lease: RedisLease): void;
  uncount(lease: RedisLease): Promise<WindowState | undefined>;
}

class RedisLease implements CallLease {
  window: LimitRule | undefined = undefined;
  place: LimitRule | undefined = undefined;
  member = '';
  /** Its answer has come: it stands in its window, where there is one. */
  isCounted = false;
  readonly keyId: number;
  /** When it was admitted, in milliseconds. */
  at: number;
  readonly number: number;
  readonly #ways: LeaseActions;
  #uncounted: Promise<WindowState | undefined> | undefined = undefined;

  constructor(keyId: number, at: number, number: number, ways: LeaseActions) {
    this.keyId = keyId;
    this.at = at;
    this.number = number;
    this.#ways = ways;
  }

  /** The same call under another name. */
  as(member: string): RedisLease {
    const other = new RedisLease(this.keyId, this.at, this.number, this.#ways);
    return Object.assign(other, { window: this.window, place: this.place, member });
  }

  lapse(): void {
    this.place = undefined;
  }

  release(): void {
    this.#ways.release(this);
  }

  uncount(): Promise<WindowState | undefined> {
    this.#uncounted ??= this.#ways.uncount(this);
    return this.#uncounted;
  }
}
