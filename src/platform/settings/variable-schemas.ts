import { z } from 'zod';
import { findSport, SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import { parseTime } from '../../domain/primitives/time.ts';
import { parseIpRange } from '../ip-address.ts';
import { BACKUP_URL_FORM, parseBackupUrl } from './backup-settings.ts';

/** Schemas for the values of environment variables. All of them start with non-empty text. */
export const nonEmptyText = z.string().min(1);

export const oneOfNames = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: ({ input }) => `must be one of ${names.join(', ')}, not ${JSON.stringify(input)}` });

/** A comma-separated list; duplicates are removed. */
export const listOf = <T extends z.ZodType<unknown, string>>(item: T) =>
  nonEmptyText
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(item).min(1, 'must name at least one'));

/** A comma-separated list without empty or duplicate entries. */
export const listWithoutDuplicates = <T extends z.ZodType<unknown, string>>(item: T) =>
  nonEmptyText
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => !parts.includes(''), { error: 'must have a name between any two commas', abort: true })
    .refine((parts) => new Set(parts).size === parts.length, { error: 'must name each at most once', abort: true })
    .pipe(z.array(item));

export const integerBetween = (min: number, max: number) =>
  nonEmptyText
    .refine(
      (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

/** A number with an optional fraction. */
export const decimalBetween = (min: number, max: number) =>
  nonEmptyText
    .refine(
      (text) => /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a number from ${min} to ${max}`,
    )
    .transform(Number);

/** A number of days, such as 90d. */
export const days = nonEmptyText
  .regex(/^[1-9]\d{0,4}d$/, 'must be days, such as 90d')
  .transform((text) => Number(text.slice(0, -1)));

/** Where a backup is kept. The value is kept as given. */
export const backupUrl = nonEmptyText.refine((text) => parseBackupUrl(text) !== undefined, BACKUP_URL_FORM);

/** A UTC time, in milliseconds. */
export const utcTime = nonEmptyText.transform((text, context) => {
  const time = parseTime(text);
  if (time !== null) return time;
  const message = 'must be a UTC time such as 2030-01-31T12:00:00Z';
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

export const webAddress = nonEmptyText.transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password) {
    return url.href.replace(/\/+$/, '');
  }
  const message = 'must be an http or https address without query, fragment or credentials';
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

/** A range of addresses such as `10.0.0.0/8` or `::1/128`; a single address is a range of one. */
export const cidr = nonEmptyText.refine((text) => {
  try {
    parseIpRange(text);
    return true;
  } catch {
    return false;
  }
}, 'must be a list of ranges such as 10.0.0.0/8');

export const secondsList = nonEmptyText
  .refine((text) => text.split(',').every((part) => /^\s*\d{1,8}\s*$/.test(part)), 'must be a list of whole seconds')
  .transform((text) => text.split(',').map(Number));

/** The address of a server, with optional credentials. The value is kept as given. @param protocol also with an `s` */
const serverAddress = (protocol: string) =>
  nonEmptyText.refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isServer = url && [`${protocol}:`, `${protocol}s:`].includes(url.protocol) && url.hostname !== '';
    return isServer && isBare(url) && isDecodable(url);
  }, `must be ${protocol}:// or ${protocol}s://, perhaps USER:PASSWORD@ percent-encoded, then HOST and perhaps :PORT`);

export const smtpAddress = serverAddress('smtp');
export const mqttAddress = serverAddress('mqtt');

/** A team as `sport:Team Name`. */
export const favouriteTeam = z.string().transform((text, context) => {
  const [sport = '', ...name] = text.split(':');
  const team = { sport: sport.trim(), name: name.join(':').trim() };
  if (findSport(team.sport) !== undefined && team.name !== '') return team;
  const problem = team.name === '' ? 'it has no name after a sport' : `${team.sport || 'it'} is no sport`;
  context.addIssue({
    code: 'custom',
    message: `must be sport:Team Name, such as nfl:Kansas City Chiefs; ${JSON.stringify(text)} is not: ${problem}. The sports are ${SPORT_SLUGS.join(', ')}`,
  });
  return z.NEVER;
});

const isBare = ({ pathname, search, hash }: URL): boolean => /^\/?$/.test(pathname) && search === '' && hash === '';

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** A mail address with an optional name. */
export const mailSender = nonEmptyText.regex(
  /^(?:(?:"[^"<>\p{Cc}]*"|[^"<>\p{Cc}]*?)\s*<[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;"\p{Cc}]+>|[^\s<>@,;:"\p{Cc}]+@[^\s<>@,;"\p{Cc}]+)$/u,
  'must be an address, or a name and <an address>',
);

const CONTACT = /^(\S+?)(?:; ?(mailto:[^\s<>@,;()]+@[^\s<>@,;()]+))?$/;

/** Where the operator can be reached: an https address, and perhaps a mail address after it. */
export const contactAddress = nonEmptyText.max(300).refine((text) => {
  const [, address = ''] = CONTACT.exec(text) ?? [];
  const url = /^[\x21-\x7e]+$/.test(text.replace('; ', '')) && URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' && !/[()]/.test(text) && !url.username && !url.password;
}, 'must be an https address, such as https://example.com/contact, perhaps with "; mailto:..." after it');

/** A User-Agent that names this program, and not a browser. */
export const ownUserAgent = nonEmptyText
  .max(500)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
  .refine((text) => !/^mozilla\//i.test(text), 'must not begin with Mozilla/: it must not pretend to be a browser');
