import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import { isLocalName, type WebhookUrl } from './webhook-url.ts';

/** All addresses of a name, IPv4 and IPv6. Rejects, or returns none, if there are none. */
export type ResolveHostname = (hostname: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 3000;
const TRIES = 2;
/** The codes of a name server for a name without such an address. */
const NO_ADDRESS_CODES = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks the name servers directly. The system's resolver runs in the few threads that also read files, so two endpoints
 * with silent name servers would delay all deliveries.
 * @param localNames also asks the system's resolver (hosts file and the like) for names without a dot, and for names
 * that the name servers do not know: for development
 * @param nameServers replace the system's, as `address:port`
 */
export function createResolver(localNames: boolean, nameServers?: readonly string[]): ResolveHostname {
  const servers = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (nameServers) servers.setServers(nameServers);

  async function queryNameServers(hostname: string): Promise<readonly string[]> {
    const [four, six] = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    for (const answer of [four, six]) {
      if (answer.status === 'rejected' && !NO_ADDRESS_CODES.has((answer.reason as NodeJS.ErrnoException).code ?? '')) {
        throw answer.reason;
      }
    }
    return [];
  }

  async function querySystem(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  }

  return async (hostname) => {
    if (!localNames) return queryNameServers(hostname);
    if (isLocalName(hostname)) return querySystem(hostname);
    const found = await queryNameServers(hostname);
    return found.length > 0 ? found : querySystem(hostname);
  };
}

/** A checked address, in the form that `node:net` expects from a lookup. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

type LookupResult =
  | { readonly addresses: readonly CheckedAddress[] }
  | { readonly error: 'dns' | 'forbidden_address'; readonly message: string };

/** The addresses of a URL's host. One forbidden address refuses them all. */
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
