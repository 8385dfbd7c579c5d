import { lookup, Resolver } from 'node:dns/promises';
import { isLocalName } from './webhook-url.ts';

/** All addresses of a name, of both families. Rejects, or gives none, where there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 3000;
const TRIES = 2;
/** What a name server says of a name that it knows to have no such address. */
const NONE = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Asks the name servers. The system's own resolver is not asked about names of the internet: it works in the few threads
 * that files are read in too, so that two endpoints whose name servers are silent would hold up everyone's deliveries.
 * @param localNames asks it too about names without a dot, and about those that name servers do not know: the file of
 * hosts and the like, for development
 * @param nameServers other ones than the system's, as `address:port`
 */
export function createResolver(localNames: boolean, nameServers?: readonly string[]): Resolve {
  const servers = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (nameServers) servers.setServers(nameServers);

  async function ask(hostname: string): Promise<readonly string[]> {
    const [four, six] = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    for (const answer of [four, six]) {
      if (answer.status === 'rejected' && !NONE.has((answer.reason as NodeJS.ErrnoException).code ?? '')) {
        throw answer.reason;
      }
    }
    return [];
  }

  async function askSystem(hostname: string): Promise<readonly string[]> {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  }

  return async (hostname) => {
    if (!localNames) return ask(hostname);
    if (isLocalName(hostname)) return askSystem(hostname);
    const found = await ask(hostname);
    return found.length > 0 ? found : askSystem(hostname);
  };
}
