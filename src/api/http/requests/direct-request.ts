import type { IncomingMessage } from 'node:http';
import { isInIpRange, parseIpAddress, parseIpRange, unmapIpv4 } from '../../../platform/ip-address.ts';
import { LOOPBACK } from '../../../platform/settings/config.ts';
import { parseHostName } from './host-name.ts';

const LOOPBACK_RANGES = ['127.0.0.0/8', '::1'].map(parseIpRange);
/** Headers that proxies add, beside all that begin with `x-forwarded`. */
const OF_PROXIES: readonly string[] = ['forwarded', 'via', 'x-real-ip'];

type Received = Pick<IncomingMessage, 'headers' | 'httpVersion'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Whether a request comes from this machine itself, and through no proxy on it: from a loopback address, for a loopback
 * name, without a header that proxies add. No browser speaks HTTP/1.0, but proxies do: nginx unless told otherwise,
 * which then adds no header and asks for the loopback name.
 */
export function isDirect({ socket, headers, httpVersion }: Received): boolean {
  const address = parseIpAddress((socket.remoteAddress ?? '').split('%', 1)[0]!);
  if (!address || !LOOPBACK_RANGES.some((range) => isInIpRange(unmapIpv4(address), range))) return false;
  if (httpVersion === '1.0') return false;
  if (Object.keys(headers).some((name) => OF_PROXIES.includes(name) || name.startsWith('x-forwarded'))) return false;
  const host = parseHostName(headers.host);
  return host !== null && LOOPBACK.test(host);
}
