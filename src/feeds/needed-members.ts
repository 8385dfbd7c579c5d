import type { ReadItem } from './connector.ts';
import { asNumber, asText, asTime, type Json } from './json-file.ts';

/**
 * A member without which a thing of an answer cannot be taken. The path leads to it from the thing: `a.b`; `a[].b` is
 * the member of every item of a list, which has a path of its own; of `a|b` the first that is there counts.
 */
export type Needed = readonly [path: string, is: 'text' | 'time' | 'number' | 'list' | 'object'];

/** Where one in so many of an answer's things lacks a member, the provider has changed its answers. */
const DRIFTED_ONE_IN = 5;

const isList = (value: unknown): boolean => Array.isArray(value);
const FITS: Readonly<Record<Needed[1], (value: unknown) => boolean>> = {
  text: (value) => asText(value) !== undefined,
  time: (value) => asTime(value) !== undefined,
  number: (value) => asNumber(value) !== undefined,
  list: isList,
  object: (value) => typeof value === 'object' && value !== null && !isList(value),
};

/**
 * The members that a fifth of the things, or more, do not have or have in another type.
 * @param at the path of the things in the answer: `events[]`
 */
export function driftOf(things: readonly unknown[], at: string, needed: readonly Needed[]): ReadItem[] {
  return needed.flatMap(([path, is]) => {
    const problems = things
      .map((thing) => problemOf(thing, path.split('.'), is))
      .filter((found) => found !== undefined);
    if (problems.length === 0 || problems.length * DRIFTED_ONE_IN < things.length) return [];
    const problem = `${problems[0]} in ${problems.length} of ${things.length}`;
    return [{ drift: { path: at === '' ? path : `${at}.${path}`, problem } }];
  });
}

function problemOf(thing: unknown, [step, ...rest]: readonly string[], is: Needed[1]): string | undefined {
  if (step === undefined) return FITS[is](thing) ? undefined : `is ${kindOf(thing)}, not ${nameOf(is)}`;
  const many = step.endsWith('[]');
  const value = memberOf(thing, many ? step.slice(0, -2) : step);
  if (many) {
    // That there is no list is the problem of the list's own path.
    if (!Array.isArray(value)) return undefined;
    return value.map((item) => problemOf(item, rest, is)).find((problem) => problem !== undefined);
  }
  return value === undefined || value === null ? 'is absent' : problemOf(value, rest, is);
}

function memberOf(thing: unknown, names: string): unknown {
  if (!FITS.object(thing)) return undefined;
  const name = names.split('|').find((one) => (thing as Json)[one] !== undefined && (thing as Json)[one] !== null);
  return name === undefined ? undefined : (thing as Json)[name];
}

const nameOf = (is: Needed[1]): string => (is === 'object' ? 'an object' : `a ${is}`);
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
