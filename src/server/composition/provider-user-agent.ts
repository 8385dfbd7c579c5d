import { isIP } from 'node:net';
import packageJson from '../../../package.json' with { type: 'json' };
import { baseUrl, type Config } from '../../platform/settings/config.ts';
import { createAddressGuard } from '../../webhooks/http/address-guard.ts';

/** Names that only this machine or its network resolves. */
const LOCAL_NAME = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|example|invalid)$/;
const addresses = createAddressGuard([]);

/**
 * How the connectors name this server to providers: some answer only to those who say where they can be reached.
 * @param homepage of the package, if it has one
 */
export function providerUserAgent(
  config: Pick<Config, 'host' | 'port' | 'publicUrl'> & {
    readonly connectors: Pick<Config['connectors'], 'contact' | 'userAgent'>;
  },
  version: string,
  homepage: string | undefined = (packageJson as { readonly homepage?: string }).homepage,
): string {
  const { contact, userAgent } = config.connectors;
  if (userAgent !== undefined) return userAgent;
  const ownUrl = config.publicUrl !== undefined && isPublic(config.publicUrl) ? config.publicUrl : undefined;
  return `Ledgerline/${version} (+${contact ?? ownUrl ?? homepage ?? baseUrl(config, config.port)})`;
}

/** Whether others can reach this address, as far as it shows. */
function isPublic(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (isIP(host) > 0) return addresses.refusal(host) === undefined;
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** The line of a start without FEED_CONTACT. */
export const noContactText = (): string =>
  'FEED_CONTACT is not set: some providers refuse who gives no https address where he can be reached';
