import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import type { Resolve } from './resolver.ts';
import type { WebhookUrl } from './webhook-url.ts';

/** An address that was checked, in the form that `node:net` takes from a look-up. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export type Lookup =
  | { readonly addresses: readonly CheckedAddress[] }
  | { readonly error: 'dns' | 'forbidden_address'; readonly message: string };

/** The addresses of a URL's host, all of which may be reached: one that may not refuses them all. */
export type GuardedLookup = (url: WebhookUrl) => Promise<Lookup>;

/**
 * Looks up at every call, but callers that ask for a name while an answer is under way share that answer: deliveries
 * that start together ask once.
 */
export function createGuardedLookup(guard: AddressGuard, resolve: Resolve): GuardedLookup {
  const underWay = new Map<string, Promise<readonly string[] | undefined>>();

  function addressesOf(hostname: string): Promise<readonly string[] | undefined> {
    const asked = underWay.get(hostname);
    if (asked) return asked;
    const answer = Promise.resolve(hostname)
      .then(resolve)
      .catch(() => undefined)
      .finally(() => underWay.delete(hostname));
    underWay.set(hostname, answer);
    return answer;
  }

  return async (url) => {
    const found = url.literal ? [url.hostname] : await addressesOf(url.hostname);
    if (!found || found.length === 0) {
      return { error: 'dns', message: `no address was found for ${url.hostname}` };
    }
    for (const address of found) {
      const refusal = guard.refusal(address, url.allowedOnly);
      if (refusal === undefined) continue;
      // Where nothing private is allowed, the address stays untold: it would map the operator's network to strangers.
      const which = guard.allowsAny ? `${address}, ` : '';
      return { error: 'forbidden_address', message: `${url.hostname} leads to ${which}${refusal}` };
    }
    return { addresses: found.map((address) => ({ address, family: isIP(address) as 4 | 6 })) };
  };
}
