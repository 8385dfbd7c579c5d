/** Addresses that a webhook may not be sent to. */
export interface ForbiddenRange {
  readonly range: string;
  /** The kind of address, with an article. */
  readonly name: string;
  /** The document that defines the range. */
  readonly source: string;
}

const forbidden = (range: string, name: string, source: string): ForbiddenRange => ({ range, name, source });

/**
 * All blocks of the IANA IPv4 Special-Purpose Address Registry (RFC 6890), including globally reachable ones, since
 * nobody has a web server there. Also multicast (RFC 5771) and one address of a provider.
 */
export const FORBIDDEN_IPV4: readonly ForbiddenRange[] = [
  forbidden('0.0.0.0/8', 'an address of this network', 'RFC 791'),
  forbidden('10.0.0.0/8', 'a private-use address', 'RFC 1918'),
  forbidden('100.64.0.0/10', 'a carrier-grade NAT address', 'RFC 6598'),
  forbidden('127.0.0.0/8', 'a loopback address', 'RFC 1122'),
  // Azure hosts read their own settings from this address, which looks public.
  forbidden('168.63.129.16/32', 'an address for hosts of Azure themselves', "Azure's documentation"),
  forbidden('169.254.0.0/16', 'a link-local address', 'RFC 3927'),
  forbidden('172.16.0.0/12', 'a private-use address', 'RFC 1918'),
  forbidden('192.0.0.0/24', 'an address for protocol assignments', 'RFC 6890'),
  forbidden('192.0.2.0/24', 'a documentation address', 'RFC 5737'),
  forbidden('192.31.196.0/24', 'an AS112 address', 'RFC 7535'),
  forbidden('192.52.193.0/24', 'an AMT relay address', 'RFC 7450'),
  forbidden('192.88.99.0/24', 'a 6to4 relay anycast address', 'RFC 7526'),
  forbidden('192.168.0.0/16', 'a private-use address', 'RFC 1918'),
  forbidden('192.175.48.0/24', 'an AS112 address', 'RFC 7534'),
  forbidden('198.18.0.0/15', 'a benchmarking address', 'RFC 2544'),
  forbidden('198.51.100.0/24', 'a documentation address', 'RFC 5737'),
  forbidden('203.0.113.0/24', 'a documentation address', 'RFC 5737'),
  forbidden('224.0.0.0/4', 'a multicast address', 'RFC 5771'),
  forbidden('255.255.255.255/32', 'the broadcast address', 'RFC 919'),
  forbidden('240.0.0.0/4', 'a reserved address', 'RFC 1112'),
];

/**
 * All blocks of the IANA IPv6 Special-Purpose Address Registry except 6to4 (2002::/16), which is judged by its embedded
 * IPv4 address. Also everything outside of 2000::/3, the global unicast space of the IANA IPv6 Address Space registry.
 * The first matching range gives the name.
 */
export const FORBIDDEN_IPV6: readonly ForbiddenRange[] = [
  forbidden('::/128', 'the unspecified address', 'RFC 4291'),
  forbidden('::1/128', 'the loopback address', 'RFC 4291'),
  forbidden('::/96', 'an IPv4-compatible address', 'RFC 4291'),
  forbidden('::ffff:0:0:0/96', 'an IPv4-translated address', 'RFC 2765'),
  forbidden('64:ff9b::/96', 'a NAT64 address', 'RFC 6052'),
  forbidden('64:ff9b:1::/48', 'a NAT64 address', 'RFC 8215'),
  forbidden('100::/64', 'a discard-only address', 'RFC 6666'),
  forbidden('100:0:0:1::/64', 'a dummy address', 'RFC 9780'),
  forbidden('2001::/32', 'a Teredo address', 'RFC 4380'),
  forbidden('2001:2::/48', 'a benchmarking address', 'RFC 5180'),
  forbidden('2001:10::/28', 'an ORCHID address', 'RFC 4843'),
  forbidden('2001:20::/28', 'an ORCHID address', 'RFC 7343'),
  forbidden('2001::/23', 'an address for protocol assignments', 'RFC 2928'),
  forbidden('2001:db8::/32', 'a documentation address', 'RFC 3849'),
  forbidden('2620:4f:8000::/48', 'an AS112 address', 'RFC 7534'),
  forbidden('3fff::/20', 'a documentation address', 'RFC 9637'),
  forbidden('5f00::/16', 'a segment-routing address', 'RFC 9602'),
  forbidden('fc00::/7', 'a unique-local address', 'RFC 4193'),
  forbidden('fe80::/10', 'a link-local address', 'RFC 4291'),
  forbidden('fec0::/10', 'a site-local address', 'RFC 3879'),
  forbidden('ff00::/8', 'a multicast address', 'RFC 4291'),
  // The three blocks outside of 2000::/3.
  forbidden('::/3', 'no global unicast address', 'RFC 4291'),
  forbidden('4000::/2', 'no global unicast address', 'RFC 4291'),
  forbidden('8000::/1', 'no global unicast address', 'RFC 4291'),
];
