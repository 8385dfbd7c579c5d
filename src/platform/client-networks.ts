import { formatNetwork, type IpAddress, parseIpAddress, unmapIpv4 } from './ip-address.ts';

/** A network that an act of a client counts for. */
export interface CountedNetwork {
  /** An IPv4 address, or an IPv6 network with its length. */
  readonly network: string;
  /** How many times the limit of one address the network may have. */
  readonly times: number;
}

/** One customer has 64 bits. Who has more networks than one must not have as many limits. */
const IPV6_NETWORKS = [
  { bits: 64, times: 1 },
  { bits: 56, times: 20 },
  { bits: 48, times: 100 },
] as const;

/**
 * The networks that each limit by address counts an act of a client for, the narrowest first. IPv4: the address alone.
 * @param client an address, or a network as `formatNetwork` writes it; other text counts as one address
 */
export function countedNetworksOf(client: string): readonly CountedNetwork[] {
  const address = parseClient(client);
  if (!address) return [{ network: client, times: 1 }];
  if (address.family === 4) return [{ network: formatNetwork(address), times: 1 }];
  return IPV6_NETWORKS.map(({ bits, times }) => ({ network: formatNetwork(address, bits), times }));
}

function parseClient(client: string): IpAddress | undefined {
  const address = parseIpAddress(client.replace(/\/64$/, ''));
  return address && unmapIpv4(address);
}
