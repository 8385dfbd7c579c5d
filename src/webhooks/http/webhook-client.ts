import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import { createAddressGuard } from './address-guard.ts';
import { createCheckedLookup } from './checked-lookup.ts';
import { createConnectionPools, type PoolLimits } from './connection-pools.ts';
import { type DeliveryOutcome, failedDelivery } from './delivery-outcome.ts';
import { createResolver, type ResolveHostname } from './dns-lookup.ts';
import { startWebhookRequest } from './webhook-request.ts';
import { parseWebhookUrl } from './webhook-url.ts';

export interface WebhookClientOptions {
  /**
   * Private ranges that may be reached, also by plain HTTP.
   * @throws Error for an invalid range
   */
  readonly allow: readonly string[];
  /**
   * Public ranges that may not be reached.
   * @throws Error for an invalid range
   */
  readonly deny?: readonly string[];
  readonly resolve?: ResolveHostname;
  /** The deadline for lookup, connection and whole answer together, in milliseconds. */
  readonly deadlineMs?: number;
  readonly setTimer?: SetTimer;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly pools?: Partial<PoolLimits>;
  /** Certificates in PEM, trusted instead of the well-known ones: for tests. */
  readonly ca?: string;
}

export interface WebhookClient {
  /**
   * Checks a URL as a user gives it, and resolves its name.
   * @returns the normal form, to be stored; or why not, in words that follow the name of the field
   */
  check(text: string): Promise<{ readonly url: string } | { readonly refused: string }>;
  /**
   * Sends once. The URL is checked and its name resolved again. Never rejects because of the endpoint.
   * @param headers of the webhook, without `Host` and `Content-Length`
   */
  post(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<DeliveryOutcome>;
  /** Aborts running requests with the error `closed`, and closes all connections. Nothing is sent afterwards. */
  close(): void;
}

const DEADLINE_MS = 10_000;
const CLOSED = failedDelivery('closed', 'the server stops');
/**
 * The text does not tell a private address from a failed lookup: that would reveal the operator's network to strangers.
 */
const REFUSED_NAME = 'must lead to a public address';
const POOLS: PoolLimits = { maxPerEndpoint: 16, maxIdleEndpoints: 128, idleMs: 4000 };

export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allow, deny, deadlineMs = DEADLINE_MS, setTimer = realTimer, now = Date.now } = options;
  const guard = createAddressGuard(allow, deny);
  const lookUp = createCheckedLookup(guard, options.resolve ?? createResolver(guard.allowsAny));
  const pools = createConnectionPools({ ...POOLS, ...options.pools }, options.ca);
  const parts = { lookUp, pools, deadlineMs, setTimer, now };
  /** Functions that abort the running posts. */
  const underWay = new Set<(outcome: DeliveryOutcome) => void>();
  let closed = false;

  return {
    async check(text) {
      const parsed = parseWebhookUrl(text, guard);
      if ('refused' in parsed) return parsed;
      const found = await withinTime(lookUp(parsed.url), deadlineMs, setTimer);
      return found && 'addresses' in found ? { url: parsed.url.href } : { refused: REFUSED_NAME };
    },

    post(text, headers, body) {
      if (closed) return Promise.resolve(CLOSED);
      const parsed = parseWebhookUrl(text, guard);
      if ('refused' in parsed) return Promise.resolve(failedDelivery('forbidden_address', `the URL ${parsed.refused}`));
      return new Promise((resolve) => {
        const breakOff = startWebhookRequest(parts, { url: parsed.url, headers, body }, (outcome) => {
          underWay.delete(breakOff);
          resolve(outcome);
        });
        underWay.add(breakOff);
      });
    },

    close() {
      closed = true;
      for (const breakOff of [...underWay]) breakOff(CLOSED);
      pools.closeAll();
    },
  };
}

/** Undefined if it takes longer. */
function withinTime<T>(promise: Promise<T>, milliseconds: number, setTimer: SetTimer): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(() => resolve(undefined), milliseconds);
    promise.then(resolve, reject).finally(cancel);
  });
}
