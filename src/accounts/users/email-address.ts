import { domainToASCII } from 'node:url';

const MOST = 254;
/** What would mean something else where addresses are listed, in the head of a mail. */
const NOT_IN_LOCAL = /[\p{Cc}\s"(),:;<>[\]\\]/u;
const NOT_IN_DOMAIN = /[\p{Cc}\s/?#%:@[\]\\]/u;
const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;

/**
 * An e-mail address in the one spelling by which it is compared and kept: small letters, an ASCII domain. Plus signs and
 * dots are kept. Undefined: it is none.
 */
export function emailAddress(text: string): string | undefined {
  const trimmed = text.trim();
  const [local, domain, ...more] = trimmed.split('@');
  if (!local || !domain || more.length > 0 || trimmed.length > MOST) return undefined;
  if (NOT_IN_LOCAL.test(local) || NOT_IN_DOMAIN.test(domain)) return undefined;
  const ascii = domainToASCII(domain.toLowerCase());
  const address = `${local.toLowerCase()}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= MOST ? address : undefined;
}
