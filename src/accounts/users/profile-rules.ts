import { domainToASCII } from 'node:url';

const LONGEST_NAME = 100;

/** The problem with a person's name, as text for people; undefined: none. */
export function findNameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return 'Write a name.';
  if ([...name].length > LONGEST_NAME) return `Use at most ${LONGEST_NAME} characters.`;
  return /\p{Cc}/u.test(name) ? 'Use no control characters.' : undefined;
}

/** Cleans a name that another service gives, for use here. */
export const cleanName = (text: string | null): string | null =>
  [...(text ?? '').replace(/\p{Cc}/gu, ' ').trim()].slice(0, LONGEST_NAME).join('').trim() || null;

/** Whether the text is the IANA name of a time zone. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const LONGEST_EMAIL = 254;
/** Invisible characters, those that have a meaning in the address lists of mail headers, and encoded words. */
const NOT_IN_LOCAL = /[\p{C}\s"(),:;<>[\]\\]|=\?|\?=/u;
const NOT_IN_DOMAIN = /[\p{C}\s/?#%:@[\]\\]/u;
const DOMAIN = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/;

/**
 * The canonical form of an e-mail address, for comparing and storing: lower case, ASCII domain. Plus signs and dots are
 * kept. Undefined: the text is not an address.
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = text.trim();
  const [local, domain, ...more] = trimmed.split('@');
  if (!local || !domain || more.length > 0 || trimmed.length > LONGEST_EMAIL) return undefined;
  if (NOT_IN_LOCAL.test(local) || NOT_IN_DOMAIN.test(domain)) return undefined;
  const ascii = domainToASCII(domain.toLowerCase());
  const address = `${local.toLowerCase()}@${ascii}`;
  return DOMAIN.test(ascii) && address.length <= LONGEST_EMAIL ? address : undefined;
}
