import { isIP } from 'node:net';
import { z } from 'zod';

/** Forms that values of environment variables have. All of them begin with text that is not empty. */
export const word = z.string().min(1);

export const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: ({ input }) => `must be one of ${names.join(', ')}, not ${JSON.stringify(input)}` });

/** A comma list without repetitions. */
export const list = <T extends z.ZodType<unknown, string>>(item: T) =>
  word
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== ''))
    .pipe(z.array(item).min(1, 'must name at least one'));

export const sizedNumber = (min: number, max: number) =>
  word
    .refine(
      (text) => /^\d{1,16}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

export const webAddress = word.transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password) {
    return url.href.replace(/\/+$/, '');
  }
  const message = 'must be an http or https address without query, fragment or credentials';
  context.issues.push({ code: 'custom', message, input: text });
  return z.NEVER;
});

/** A range of addresses such as `10.0.0.0/8` or `::1/128`; an address alone is a range of one. */
export const cidr = word.refine((text) => {
  const [address = '', bits, ...more] = text.split('/');
  const size = isIP(address) === 6 ? 128 : 32;
  // A zone names an interface of one machine: no range has one.
  if (address.includes('%')) return false;
  return isIP(address) > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= size));
}, 'must be a list of ranges such as 10.0.0.0/8');

export const secondsList = word
  .refine((text) => text.split(',').every((part) => /^\s*\d{1,8}\s*$/.test(part)), 'must be a list of whole seconds')
  .transform((text) => text.split(',').map(Number));
