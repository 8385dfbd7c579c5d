import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { ResolveHostname } from './dns-lookup.ts';
import type { WebhookUrl } from './webhook-url.ts';

/** A checked address, in the form that `node:net` expects from a lookup. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

type LookupResult =
  | { readonly addresses: readonly CheckedAddress[] }
  | { readonly error: 'dns' | 'forbidden_address'; readonly message: string };

/**
 * The addresses of a URL's host, each passed by the address guard: when a webhook is created, and again at every
 * delivery, since a name may lead elsewhere by then. One forbidden address refuses them all.
 */
export type CheckedLookup = (url: WebhookUrl) => Promise<LookupResult>;

/**
 * Looks up at every call. Callers that ask for a name during a lookup share its answer, so deliveries that start
 * together ask once.
 */
export function createCheckedLookup(guard: AddressGuard, resolve: ResolveHostname): CheckedLookup {
  const underWay = new Map<string, Promise<readonly string[] | undefined>>();

  function addressesOf(hostname: string): Promise<readonly string[] | undefined> {
    const pending = underWay.get(hostname);
    if (pending) return pending;
    const answer = Promise.resolve(hostname)
      .then(resolve)
      .catch(() => undefined)
      .finally(() => underWay.delete(hostname));
    underWay.set(hostname, answer);
    return answer;
  }

  return async (url) => {
    const found = url.isIpLiteral ? [url.hostname] : await addressesOf(url.hostname);
    if (!found || found.length === 0) {
      return { error: 'dns', message: `no address was found for ${url.hostname}` };
    }
    for (const address of found) {
      const refusal = guard.refusal(address, url.needsAllowedAddress);
      if (refusal === undefined) continue;
      // If no private range is allowed, the address is not named: it would reveal the operator's network to strangers.
      const which = guard.allowsAny ? `${address}, ` : '';
      return { error: 'forbidden_address', message: `${url.hostname} leads to ${which}${refusal}` };
    }
    return { addresses: found.map((address) => ({ address, family: isIP(address) as 4 | 6 })) };
  };
}
