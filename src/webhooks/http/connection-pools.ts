import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { CheckedAddress } from './dns-lookup.ts';
import type { WebhookUrl } from './webhook-url.ts';

export interface PoolLimits {
  /** Exchanges with one endpoint at once; those beyond them wait, within their time. */
  readonly maxPerEndpoint: number;
  /** Endpoints whose connections are kept while none is in use; the one unused for longest goes first. */
  readonly maxIdleEndpoints: number;
  /** How long an unused connection is kept: shorter than servers keep theirs, which is 5 s for many. Milliseconds. */
  readonly idleMs: number;
}

/** Connections to one endpoint at one set of addresses. */
export interface ConnectionPool {
  readonly key: string;
  readonly agent: HttpAgent;
  readonly sockets: Set<Socket>;
  /** Exchanges under way. */
  activeRequests: number;
  /** What starts those that wait. */
  readonly waiters: (() => void)[];
}

/**
 * What is kept alive is kept by endpoint and by the addresses that its name had: a connection is used again only for a
 * request whose own look-up gave these same addresses, and checked them.
 * @param ca certificates to trust instead of the well-known ones
 */
export function createConnectionPools({ maxPerEndpoint, maxIdleEndpoints, idleMs }: PoolLimits, ca?: string) {
  /** In the order of their last use. */
  const pools = new Map<string, ConnectionPool>();

  const agentFor = (url: WebhookUrl, addresses: readonly CheckedAddress[], kept: AgentOptions): HttpAgent => {
    const options: AgentOptions = {
      ...kept,
      lookup: fixedLookup(addresses),
      // Each address gets this long to connect but the last; Node's own 250 ms are too short for far hosts.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2000,
    };
    if (!url.isSecure) return new HttpAgent(options);
    // Stated, so that neither a header nor the environment changes what the certificate is checked against, or whether.
    return new HttpsAgent({
      ...options,
      servername: url.isIpLiteral ? '' : url.hostname,
      rejectUnauthorized: true,
      ca,
    });
  };

  function newPool(key: string, url: WebhookUrl, addresses: readonly CheckedAddress[]): ConnectionPool {
    const kept: AgentOptions = { keepAlive: true, maxFreeSockets: maxPerEndpoint, timeout: idleMs, scheduling: 'lifo' };
    return { key, agent: agentFor(url, addresses, kept), sockets: new Set(), activeRequests: 0, waiters: [] };
  }

  function close(pool: ConnectionPool): void {
    pools.delete(pool.key);
    pool.agent.destroy();
  }

  function closeUnused(): void {
    let above = pools.size - maxIdleEndpoints;
    for (const pool of pools.values()) {
      if (above <= 0) return;
      if (pool.activeRequests > 0) continue;
      close(pool);
      above -= 1;
    }
  }

  const forget = (pool: ConnectionPool): void => {
    if (pool.activeRequests === 0 && pool.sockets.size === 0 && pools.get(pool.key) === pool) pools.delete(pool.key);
  };

  return {
    /**
     * Starts an exchange, as soon as there is a place, with the pool of the addresses that were just checked for it. The
     * place is to be given back.
     */
    enter(url: WebhookUrl, addresses: readonly CheckedAddress[], start: (pool: ConnectionPool) => void): void {
      const key = `${url.isSecure ? 'https' : 'http'}://${url.endpoint} ${addressKey(addresses)}`;
      const pool = pools.get(key) ?? newPool(key, url, addresses);
      pools.delete(key);
      pools.set(key, pool);
      if (pool.activeRequests >= maxPerEndpoint) {
        pool.waiters.push(() => start(pool));
        return;
      }
      pool.activeRequests += 1;
      if (pools.size > maxIdleEndpoints) closeUnused();
      start(pool);
    },

    giveBack(pool: ConnectionPool): void {
      const next = pool.waiters.shift();
      // Not at once: the connection that has become free is there when the events of its answer are through.
      if (next) {
        queueMicrotask(next);
      } else {
        pool.activeRequests -= 1;
        forget(pool);
      }
    },

    /** For one connection that is used once. */
    fresh: (url: WebhookUrl, addresses: readonly CheckedAddress[]): HttpAgent =>
      agentFor(url, addresses, { keepAlive: false }),

    /** Tells of a connection that the pool's agent has opened. */
    opened(pool: ConnectionPool, socket: Socket): void {
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
function fixedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
