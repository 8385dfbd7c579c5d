import { isIP } from 'node:net';

/** An IP address as a number of 32 or 128 bits. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** The addresses from `first` to `last`, inclusive. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const LOW_32 = 0xffff_ffffn;
/** The start of the IPv4-mapped addresses, `::ffff:0:0/96`. */
const MAPPED = 0xffffn << 32n;

/**
 * Parses an address that `isIP` accepts. Undefined for other text, and for an address with a zone id, which names an
 * interface of one host.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return { family, value: ipv4Value(text) };
  if (family === 6 && !text.includes('%')) return { family, value: ipv6Value(text) };
  return undefined;
}

/**
 * Parses `10.0.0.0/8`; a single address is a range of one. A range of IPv4-mapped addresses becomes the IPv4 range,
 * since that is where connections go.
 * @throws Error if the text is not a range
 */
export function parseIpRange(cidr: string): IpRange {
  const [text = '', length, ...more] = cidr.split('/');
  const address = parseIpAddress(text);
  const size = address?.family === 4 ? 32 : 128;
  const bits = length === undefined ? size : Number(length);
  if (!address || more.length > 0 || !/^\d{1,3}$/.test(length ?? '0') || bits > size) {
    throw new Error(`${JSON.stringify(cidr)} is no range of IP addresses such as 10.0.0.0/8`);
  }
  const hostBits = (1n << BigInt(size - bits)) - 1n;
  const first = (address.value | hostBits) ^ hostBits;
  const last = address.value | hostBits;
  if (address.family === 6 && isMapped(first) && isMapped(last)) {
    return { family: 4, first: first & LOW_32, last: last & LOW_32 };
  }
  return { family: address.family, first, last };
}

export const isInIpRange = ({ family, value }: IpAddress, range: IpRange): boolean =>
  family === range.family && range.first <= value && value <= range.last;

/** The IPv4 address of an IPv4-mapped address, since the host sends to it. Other addresses stay as they are. */
export const unmapIpv4 = (address: IpAddress): IpAddress =>
  address.family === 6 && isMapped(address.value) ? ipv4(address.value) : address;

/**
 * A network as text: an IPv4 address, or the first bits of an IPv6 address. One customer has 64 of them.
 * @param bits of an IPv6 address: 64 or fewer
 */
export function formatNetwork({ family, value }: IpAddress, bits = 64): string {
  const parts = (size: bigint, ...shifts: bigint[]) => shifts.map((shift) => (value >> shift) & ((1n << size) - 1n));
  if (family === 4) return parts(8n, 24n, 16n, 8n, 0n).join('.');
  const groups = parts(16n, 112n, 96n, 80n, 64n).map((group, index) => {
    const dropped = BigInt(Math.max(0, Math.min(16, (index + 1) * 16 - bits)));
    return ((group >> dropped) << dropped).toString(16);
  });
  return `${groups.join(':')}::/${bits}`;
}

/**
 * The IPv4 addresses that an IPv6 address contains. A translator or a tunnel may deliver to them. Only the form of the
 * address decides, so some addresses contain several.
 */
export function embeddedIpv4(address: IpAddress): readonly IpAddress[] {
  if (address.family === 4) return [];
  const { value } = address;
  const found: IpAddress[] = [];
  const top = (bits: number): bigint => value >> BigInt(128 - bits);
  // IPv4-compatible, ::/96 (RFC 4291), except the unspecified and the loopback address; IPv4-mapped, ::ffff:0:0/96;
  // IPv4-translated, ::ffff:0:0:0/96 (RFC 2765); NAT64, 64:ff9b::/96 (RFC 6052).
  const tail = top(96) === 0n ? value > 1n : [0xffffn, 0xffff_0000n, WELL_KNOWN_NAT64].includes(top(96));
  if (tail) found.push(ipv4(value));
  if (top(48) === LOCAL_NAT64) found.push(...localNat64(value));
  // 6to4, 2002::/16 (RFC 3056).
  if (top(16) === 0x2002n) found.push(ipv4(top(48)));
  // Teredo, 2001::/32 (RFC 4380): the server, and the client with its bits inverted.
  if (top(32) === 0x2001_0000n) found.push(ipv4(top(64)), ipv4(value ^ LOW_32));
  // ISATAP (RFC 5214): under any prefix, the interface id is 0:5efe or 200:5efe, followed by the address.
  const interfaceId = (value >> 32n) & LOW_32;
  if (interfaceId === 0x0000_5efen || interfaceId === 0x0200_5efen) found.push(ipv4(value));
  return found;
}

const WELL_KNOWN_NAT64 = 0x0064_ff9bn << 64n;
const LOCAL_NAT64 = 0x0064_ff9b_0001n;

/**
 * 64:ff9b:1::/48 (RFC 8215). A network chooses its prefix length below this prefix, and the length decides where the
 * IPv4 address is (RFC 6052, 2.2). It is unknown here. If the bits before the last 32 are zero, only the last 32 count;
 * otherwise every possible position.
 */
function localNat64(value: bigint): IpAddress[] {
  if ((value >> 32n) % (1n << 48n) === 0n) return [ipv4(value)];
  const bits = (from: number, count: number) => (value >> BigInt(128 - from - count)) % (1n << BigInt(count));
  const after48 = (bits(48, 16) << 16n) | bits(72, 16);
  const after56 = (bits(56, 8) << 24n) | bits(72, 24);
  return [ipv4(after48), ipv4(after56), ipv4(bits(72, 32)), ipv4(value)];
}

const ipv4 = (value: bigint): IpAddress => ({ family: 4, value: value & LOW_32 });

const isMapped = (value: bigint): boolean => (value | LOW_32) === (MAPPED | LOW_32);

function ipv4Value(text: string): bigint {
  return BigInt(text.split('.').reduce((value, part) => value * 256 + Number(part), 0));
}

function ipv6Value(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

/** Groups of 16 bits. The last group may be in IPv4 form, which counts as two. */
function groups(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)];
    const value = ipv4Value(group);
    return [value >> 16n, value & 0xffffn];
  });
}
