import { lookup, Resolver } from 'node:dns/promises';
import { isLocalName } from './webhook-url.ts';

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
