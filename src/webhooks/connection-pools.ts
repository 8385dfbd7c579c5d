import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { CheckedAddress } from './guarded-lookup.ts';
import type { WebhookUrl } from './webhook-url.ts';

export interface PoolLimits {
  /** Exchanges with one endpoint at once; those beyond them wait, within their time. */
  readonly perEndpoint: number;
  /** Endpoints whose connections are kept while none is in use; the one unused for longest goes first. */
  readonly endpoints: number;
  /** How long an unused connection is kept: shorter than servers keep theirs, which is 5 s for many. Milliseconds. */
  readonly idleMs: number;
}

/** Connections to one endpoint at one set of addresses. */
export interface Pool {
  readonly key: string;
  readonly agent: HttpAgent;
  readonly sockets: Set<Socket>;
  /** Exchanges under way. */
  users: number;
  /** What starts those that wait. */
  readonly waiting: (() => void)[];
}

/**
 * What is kept alive is kept by endpoint and by the addresses that its name had: a connection is used again only for a
 * request whose own look-up gave these same addresses, and checked them.
 * @param ca certificates to trust instead of the well-known ones
 */
export function createConnectionPools({ perEndpoint, endpoints, idleMs }: PoolLimits, ca?: string) {
  /** In the order of their last use. */
  const pools = new Map<string, Pool>();

  const agentFor = (url: WebhookUrl, addresses: readonly CheckedAddress[], kept: AgentOptions): HttpAgent => {
    const options: AgentOptions = {
      ...kept,
      lookup: answering(addresses),
      // Each address gets this long to connect but the last; Node's own 250 ms are too short for far hosts.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2000,
    };
    if (!url.secure) return new HttpAgent(options);
    // Stated, so that neither a header nor the environment changes what the certificate is checked against, or whether.
    return new HttpsAgent({ ...options, servername: url.literal ? '' : url.hostname, rejectUnauthorized: true, ca });
  };

  function newPool(key: string, url: WebhookUrl, addresses: readonly CheckedAddress[]): Pool {
    const kept: AgentOptions = { keepAlive: true, maxFreeSockets: perEndpoint, timeout: idleMs, scheduling: 'lifo' };
    return { key, agent: agentFor(url, addresses, kept), sockets: new Set(), users: 0, waiting: [] };
  }

  function close(pool: Pool): void {
    pools.delete(pool.key);
    pool.agent.destroy();
  }

  function closeUnused(): void {
    let above = pools.size - endpoints;
    for (const pool of pools.values()) {
      if (above <= 0) return;
      if (pool.users > 0) continue;
      close(pool);
      above -= 1;
    }
  }

  const forget = (pool: Pool): void => {
    if (pool.users === 0 && pool.sockets.size === 0 && pools.get(pool.key) === pool) pools.delete(pool.key);
  };

  return {
    /**
     * Starts an exchange, as soon as there is a place, with the pool of the addresses that were just checked for it. The
     * place is to be given back.
     */
    enter(url: WebhookUrl, addresses: readonly CheckedAddress[], start: (pool: Pool) => void): void {
      const key = `${url.secure ? 'https' : 'http'}://${url.endpoint} ${addressKey(addresses)}`;
      const pool = pools.get(key) ?? newPool(key, url, addresses);
      pools.delete(key);
      pools.set(key, pool);
      if (pool.users >= perEndpoint) {
        pool.waiting.push(() => start(pool));
        return;
      }
      pool.users += 1;
      if (pools.size > endpoints) closeUnused();
      start(pool);
    },

    giveBack(pool: Pool): void {
      const next = pool.waiting.shift();
      // Not at once: the connection that has become free is there when the events of its answer are through.
      if (next) {
        queueMicrotask(next);
      } else {
        pool.users -= 1;
        forget(pool);
      }
    },

    /** For one connection that is used once. */
    fresh: (url: WebhookUrl, addresses: readonly CheckedAddress[]): HttpAgent =>
      agentFor(url, addresses, { keepAlive: false }),

    /** Tells of a connection that the pool's agent has opened. */
    opened(pool: Pool, socket: Socket): void {
      pool.sockets.add(socket);
      socket.once('close', () => {
        pool.sockets.delete(socket);
        forget(pool);
      });
    },

    closeAll(): void {
      for (const pool of [...pools.values()]) close(pool);
    },
  };
}

export type ConnectionPools = ReturnType<typeof createConnectionPools>;

const addressKey = (addresses: readonly CheckedAddress[]): string =>
  addresses.length === 1
    ? addresses[0]!.address
    : addresses
        .map(({ address }) => address)
        .sort()
        .join(' ');

/** In place of a look-up: the connection goes to what was checked, whatever the name leads to by then. */
function answering(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
