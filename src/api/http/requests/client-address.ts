import type { IncomingMessage } from 'node:http';
import {
  formatNetwork,
  type IpAddress,
  isInIpRange,
  parseIpAddress,
  parseIpRange,
  unmapIpv4,
} from '../../../platform/ip-address.ts';

/**
 * Identifies the client: an IPv4 address, or the first 64 bits of an IPv6 address, which usually belong to one
 * customer.
 */
export type ReadClientAddress = (request: IncomingMessage) => string;

/**
 * The address of the connection. If it is a trusted proxy, the last address in `X-Forwarded-For` that is not trusted:
 * clients can forge the header, but each proxy appends the address that called it. If a malformed entry comes first
 * when reading from the end, the connection's address counts.
 * @param trusted ranges such as `10.0.0.0/8`
 */
export function createClientAddressReader(trusted: readonly string[]): ReadClientAddress {
  const proxies = trusted.map(parseIpRange);
  const isTrusted = (address: IpAddress) => proxies.some((range) => isInIpRange(address, range));
  return ({ socket, headers }) => {
    const connected = plainAddress(socket.remoteAddress ?? '');
    if (connected === undefined) return '';
    if (!isTrusted(connected)) return formatNetwork(connected);
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((one) => plainAddress(withoutPort(one.trim())));
    const last = forwarded.findLast((one) => one === undefined || !isTrusted(one));
    return formatNetwork(last ?? connected);
  };
}

/** The address without a zone; an IPv4-mapped one as IPv4. Undefined if it is not an address. */
function plainAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(text.split('%', 1)[0]!);
  return address && unmapIpv4(address);
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
