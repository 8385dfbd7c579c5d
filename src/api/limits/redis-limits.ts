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
  /** Name of this process, unique while it runs: letters, digits, `-`, `_` and `.`. */
  readonly owner: string;
  /** Prefix of all Redis keys. */
  readonly prefix?: string;
  /** Milliseconds, for tests, in place of the server's clock. All owners need the same clock. */
  readonly now?: (() => number) | undefined;
}

interface RedisLimits extends Limits {
  /** Leases of calls in flight, and of calls whose result is uncertain. */
  readonly size: CacheSize;
}

/** Slots in one script call after the server has lost them. */
const REACQUIRE_BATCH = 300;
/** Slots are written again after so many heartbeats, before their keys expire: the server keeps them for an hour. */
const HEARTBEATS_PER_REACQUIRE = 600;
/** Calls that may or may not hold something; beyond this number the oldest are left to expire. */
const MAX_UNCERTAIN_LEASES = 10_000;
const BYTES_OF_LEASE = 300;

/** Number of limits opened by this process: each needs its own name. */
let opened = 0;

/**
 * Limits on a Redis server that all processes share. Its clock is used for all windows and leases. Each call is one
 * script, so that concurrent calls run one after another.
 */
export function openRedisLimits(parts: RedisLimitsParts): RedisLimits {
  const { connection, prefix = 'limits:', now } = parts;
  const owner = `${parts.owner}-${++opened}`;
  const time = (): string => (now ? String(now()) : '');
  const holding = new Set<RedisLease>();
  const uncertain: RedisLease[] = [];
  let life = 0;
  let name = `${owner}.${life}`;
  let calls = 0;
  let heartbeats = 0;
  /** A heartbeat failed: if the lease then expires, the reason is the connection, and not a process that slept. */
  let wasDisconnected = false;

  const nextName = (): string => `${owner}.${life + 1}`;

  /** Handles the owner name that the server returns. Concurrent calls may return the same change. */
  function handleOwnerName(state: unknown, as: unknown): void {
    if (as === nextName()) {
      life++;
      name = as;
      // The process slept too long: the slots of its calls may have been given to others.
      if (!wasDisconnected) for (const lease of holding) lease.lapse();
      else void reacquire();
    } else if (as === name && state === 'lost' && holding.size > 0) void reacquire();
    wasDisconnected = false;
  }

  /** Writes the slots of this process's calls and streams again. */
  async function reacquire(): Promise<void> {
    const all = [...holding].filter(({ slot }) => slot !== undefined);
    for (let first = 0; first < all.length; first += REACQUIRE_BATCH) {
      const batch = all.slice(first, first + REACQUIRE_BATCH).filter((lease) => holding.has(lease));
      for (const lease of batch) lease.member = memberOf(name, lease);
      const each = batch.flatMap(({ slot, keyId, member }) => [slot!.of, keyId, member]);
      await connection.send(REACQUIRE, [], [prefix, '', ...each]);
    }
  }

  function release(lease: RedisLease): void {
    if (!holding.delete(lease)) return;
    const { slot, keyId, member } = lease;
    if (!slot) return;
    void connection.send(RELEASE, [], [prefix, '', slot.of, keyId, member]).then((hasArrived) => {
      if (!hasArrived) markUncertain(lease);
    });
  }

  async function uncount({ window, keyId, member, at }: RedisLease): Promise<WindowState | undefined> {
    if (!window) return;
    const reply = await connection.run(UNCOUNT, [], [prefix, at, window.of, keyId, member]);
    const [counted, resetAt] = reply as [number, number];
    return { counted, resetAt };
  }

  function markUncertain(lease: RedisLease): void {
    if (uncertain.length >= MAX_UNCERTAIN_LEASES) uncertain.shift();
    uncertain.push(lease);
  }

  /** Undoes the possible effects of calls whose replies were lost. */
  async function undoUncertain(): Promise<void> {
    for (const lease of uncertain.splice(0)) {
      const { slot, window, keyId, member, isCounted } = lease;
      const cleared = await Promise.all([
        slot ? connection.send(RELEASE, [], [prefix, '', slot.of, keyId, member]) : true,
        window && !isCounted ? connection.send(UNCOUNT, [], [prefix, time(), window.of, keyId, member]) : true,
      ]);
      if (cleared.includes(false)) return markUncertain(lease);
    }
  }

  return {
    get size() {
      return { bytes: BYTES_OF_LEASE * (holding.size + uncertain.length), limit: undefined };
    },
    async admit({ keyId, at, rules }: AdmissionRequest): Promise<LimitDecision> {
      const lease = new RedisLease(keyId, at, ++calls, { release, uncount });
      for (const rule of rules) lease[rule.kind] = rule;
      const args = [prefix, time(), name, nextName(), lease.number, keyId];
      lease.member = memberOf(name, lease);
      let reply: readonly [state: string, name: string, rule: number, counted: number, resetAt: number, at: number];
      try {
        const each = rules.flatMap(({ kind, of, max }) => [kind, of, max]);
        reply = (await connection.run(ADMIT, [], [...args, ...each])) as unknown as typeof reply;
      } catch (error) {
        if (error instanceof LimitsNotConnected) throw error;
        // Under either name.
        markUncertain(lease);
        markUncertain(lease.as(memberOf(nextName(), lease)));
        throw error;
      }
      const [state, as, refusing, counted, resetAt, engineTime] = reply;
      lease.member = memberOf(as, lease);
      handleOwnerName(state, as);
      const window = counted < 0 ? undefined : { counted, resetAt };
      if (refusing >= 0) return { admitted: false, by: rules[refusing]!, window, at: engineTime };
      lease.at = engineTime;
      lease.isCounted = true;
      if (lease.slot) holding.add(lease);
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
        if (error instanceof LimitsUnavailable) wasDisconnected = true;
        throw error;
      }
      handleOwnerName(...reply);
      await undoUncertain();
      if (++heartbeats % HEARTBEATS_PER_REACQUIRE === 0) await reacquire();
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
  slot: LimitRule | undefined = undefined;
  member = '';
  /** The reply has come: the call is in its window, if it has one. */
  isCounted = false;
  readonly keyId: number;
  /** Time of admission, in milliseconds. */
  at: number;
  readonly number: number;
  readonly #actions: LeaseActions;
  #uncounted: Promise<WindowState | undefined> | undefined = undefined;

  constructor(keyId: number, at: number, number: number, actions: LeaseActions) {
    this.keyId = keyId;
    this.at = at;
    this.number = number;
    this.#actions = actions;
  }

  /** The same call under another member name. */
  as(member: string): RedisLease {
    const other = new RedisLease(this.keyId, this.at, this.number, this.#actions);
    return Object.assign(other, { window: this.window, slot: this.slot, member });
  }

  lapse(): void {
    this.slot = undefined;
  }

  release(): void {
    this.#actions.release(this);
  }

  uncount(): Promise<WindowState | undefined> {
    this.#uncounted ??= this.#actions.uncount(this);
    return this.#uncounted;
  }
}
