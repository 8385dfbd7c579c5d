import {
  embeddedIpv4,
  type IpAddress,
  type IpRange,
  isInIpRange,
  parseIpAddress,
  parseIpRange,
  unmapIpv4,
} from '../../platform/ip-address.ts';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6, type ForbiddenRange } from './forbidden-address-ranges.ts';

/**
 * Node's own `BlockList` is not used, for three reasons. It matches an IPv4 address in its IPv4-mapped form against
 * IPv6 rules, so a rule such as `::/3` contains all of IPv4. It knows no other form that embeds IPv4. And it does not
 * tell which rule matched.
 */
export interface AddressGuard {
  /** Whether the operator allowed any range at all. */
  readonly allowsAny: boolean;
  /**
   * Why an address may not be reached, as words that follow "is"; undefined if it may. An address that embeds IPv4
   * addresses must pass itself, and so must each embedded address.
   * @param allowedOnly refuses public addresses too: only ranges that the operator allowed pass
   */
  refusal(address: string, allowedOnly?: boolean): string | undefined;
}

interface Range extends IpRange {
  readonly words: string;
}

const compileRanges = (ranges: readonly ForbiddenRange[]): readonly Range[] =>
  ranges.map(({ range, name, source }) => ({ ...parseIpRange(range), words: `${name} (${source})` }));

const FORBIDDEN = { 4: compileRanges(FORBIDDEN_IPV4), 6: compileRanges(FORBIDDEN_IPV6) };

const DENIED_REASON = 'an address that this server denies';

/**
 * @param allow ranges that may be reached although they are forbidden, such as `127.0.0.0/8`
 * @param deny ranges that may never be reached, such as a network's own NAT64 prefix
 * @throws Error for an invalid range
 */
export function createAddressGuard(allow: readonly string[], deny: readonly string[] = []): AddressGuard {
  const allowed = allow.map(parseIpRange);
  const denied = deny.map(parseIpRange);
  // An IPv4-mapped address is judged as its IPv4 address.
  const isIn = (address: IpAddress, ranges: readonly IpRange[]) =>
    ranges.some((range) => isInIpRange(unmapIpv4(address), range));
  const isAllowed = (address: IpAddress) => isIn(address, allowed);
  function refusalOf(address: IpAddress): string | undefined {
    if (isIn(address, denied)) return DENIED_REASON;
    if (isAllowed(address)) return undefined;
    return FORBIDDEN[address.family].find((range) => isInIpRange(address, range))?.words;
  }

  return {
    allowsAny: allowed.length > 0,
    refusal(text, allowedOnly = false) {
      const address = parseIpAddress(text);
      if (!address) return 'no IP address';
      // The embedded address describes the target better than the outer form.
      for (const embedded of embeddedIpv4(address)) {
        const words = refusalOf(embedded);
        if (words !== undefined) return words;
      }
      const words = refusalOf(address);
      return words ?? (allowedOnly && !isAllowed(address) ? 'in no range that this server allows' : undefined);
    },
  };
}
