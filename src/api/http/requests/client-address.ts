import type { IncomingMessage } from 'node:http';
import {
  formatNetwork,
  type IpAddress,
  isInIpRange,
  parseIpAddress,
  parseIpRange,
  unmapIpv4,
} from '../../../platform/ip-address.ts';

/** Whose request it is: an address of version 4, or the first 64 bits of one of version 6, which one customer has. */
export type ReadClientAddress = (request: IncomingMessage) => string;

/**
 * The connection's address; where that is a trusted proxy's, the last address of `X-Forwarded-For` that is no trusted
 * one. Anybody may write that header, but each proxy puts behind it whom it was called by. Where nothing but trusted
 * ones stands before what is no address, the header tells nobody, and the connection's counts.
 * @param trusted ranges such as `10.0.0.0/8`
 */
export function createClientAddressReader(trusted: readonly string[]): ReadClientAddress {
  const proxies = trusted.map(parseIpRange);
  const isTrusted = (address: IpAddress) => proxies.some((range) => isInIpRange(address, range));
  return ({ socket, headers }) => {
    const connected = plainAddress(socket.remoteAddress ?? '');
    if (connected === undefined) return '';
    if (!isTrusted(connected)) return formatNetwork(connected);
    const told = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((one) => plainAddress(withoutPort(one.trim())));
    const last = told.findLast((one) => one === undefined || !isTrusted(one));
    return formatNetwork(last ?? connected);
  };
}

/** Without a zone, and an IPv4-mapped one as the IPv4 address that it stands for; undefined for what is none. */
function plainAddress(text: string): IpAddress | undefined {
  const address = parseIpAddress(text.split('%', 1)[0]!);
  return address && unmapIpv4(address);
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}
