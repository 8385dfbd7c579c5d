import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { CheckedAddress } from './checked-lookup.ts';
import type { WebhookUrl } from './webhook-url.ts';

export interface PoolLimits {
  /** Concurrent exchanges with one endpoint; more must wait, within their own deadline. */
  readonly maxPerEndpoint: number;
  /** Endpoints whose idle connections are kept; the one unused for longest is closed first. */
  readonly maxIdleEndpoints: number;
  /**
   * How long an idle connection is kept. It must be shorter than the server's own time, which is often 5 s.
   * Milliseconds.
   */
  readonly idleMs: number;
}

/** Connections to one endpoint at one set of addresses. */
export interface ConnectionPool {
  readonly key: string;
  readonly agent: HttpAgent;
  readonly sockets: Set<Socket>;
  /** Running exchanges. */
  activeRequests: number;
  /** Start functions of waiting exchanges. */
  readonly waiters: (() => void)[];
}

/**
 * Idle connections are kept by endpoint and by the addresses of its name. A connection is reused only for a request
 * whose own lookup returned and checked the same addresses.
 * @param ca certificates to trust instead of the well-known ones
 */
export function createConnectionPools({ maxPerEndpoint, maxIdleEndpoints, idleMs }: PoolLimits, ca?: string) {
  /** In order of last use. */
  const pools = new Map<string, ConnectionPool>();

  const agentFor = (url: WebhookUrl, addresses: readonly CheckedAddress[], keepOptions: AgentOptions): HttpAgent => {
    const options: AgentOptions = {
      ...keepOptions,
      lookup: fixedLookup(addresses),
      // The time that each address but the last gets to connect. Node's default of 250 ms is too short for distant
      // hosts.
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: 2000,
    };
    if (!url.isSecure) return new HttpAgent(options);
    // Set explicitly, so that no header and no environment variable can change the certificate check or turn it off.
    return new HttpsAgent({
      ...options,
      servername: url.isIpLiteral ? '' : url.hostname,
      rejectUnauthorized: true,
      ca,
    });
  };

  function newPool(key: string, url: WebhookUrl, addresses: readonly CheckedAddress[]): ConnectionPool {
    const keepOptions: AgentOptions = {
      keepAlive: true,
      maxFreeSockets: maxPerEndpoint,
      timeout: idleMs,
      scheduling: 'lifo',
    };
    return { key, agent: agentFor(url, addresses, keepOptions), sockets: new Set(), activeRequests: 0, waiters: [] };
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
     * Starts an exchange as soon as there is a slot, with the pool of the addresses that were just checked. The caller
     * must release the slot.
     */
    acquire(url: WebhookUrl, addresses: readonly CheckedAddress[], start: (pool: ConnectionPool) => void): void {
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

    release(pool: ConnectionPool): void {
      const next = pool.waiters.shift();
      // Deferred: the freed connection is available only after the events of its answer.
      if (next) {
        queueMicrotask(next);
      } else {
        pool.activeRequests -= 1;
        forget(pool);
      }
    },

    /** An agent for one connection that is used once. */
    createSingleUseAgent: (url: WebhookUrl, addresses: readonly CheckedAddress[]): HttpAgent =>
      agentFor(url, addresses, { keepAlive: false }),

    /** The pool's agent has opened a connection. */
    trackSocket(pool: ConnectionPool, socket: Socket): void {
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

/** Replaces the DNS lookup: the connection goes to the checked address, even if the name has changed meanwhile. */
function fixedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
}
