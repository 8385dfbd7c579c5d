import { asNumber, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { AnswerItem } from './provider.ts';

/**
 * A member without which a thing of an answer cannot be taken. The path leads to it from the thing: `a.b`; `a[].b` is
 * the member of every item of a list, which has a path of its own; of `a|b` the first that is there counts.
 */
export type RequiredMember = readonly [path: string, is: 'text' | 'time' | 'number' | 'list' | 'object'];

/** Where one in so many of an answer's things lacks a member, the provider has changed its answers. */
const DRIFTED_ONE_IN = 5;

const isList = (value: unknown): boolean => Array.isArray(value);
const FITS: Readonly<Record<RequiredMember[1], (value: unknown) => boolean>> = {
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
export function findDrift(things: readonly unknown[], at: string, needed: readonly RequiredMember[]): AnswerItem[] {
  return needed.flatMap(([path, is]) => {
    const steps = stepsOf(path);
    const problems = things.map((thing) => problemOf(thing, steps, 0, is)).filter((found) => found !== undefined);
    if (problems.length === 0 || problems.length * DRIFTED_ONE_IN < things.length) return [];
    const problem = `${problems[0]} in ${problems.length} of ${things.length}`;
    return [{ drift: { path: at === '' ? path : `${at}.${path}`, problem } }];
  });
}

/** A member, under the first of these names that is there, or the items of a list. */
interface Step {
  readonly names: readonly string[];
  readonly many: boolean;
}

const stepsOf = (path: string): Step[] =>
  path.split('.').map((step) => {
    const many = step.endsWith('[]');
    return { names: (many ? step.slice(0, -2) : step).split('|'), many };
  });

/** @param at the place of the step that leads on from the thing */
function problemOf(thing: unknown, steps: readonly Step[], at: number, is: RequiredMember[1]): string | undefined {
  const step = steps[at];
  if (!step) return FITS[is](thing) ? undefined : `is ${kindOf(thing)}, not ${nameOf(is)}`;
  const value = memberOf(thing, step.names);
  if (!step.many) return value === undefined ? 'is absent' : problemOf(value, steps, at + 1, is);
  // That there is no list is the problem of the list's own path.
  if (!Array.isArray(value)) return undefined;
  for (const item of value) {
    const problem = problemOf(item, steps, at + 1, is);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Undefined where it is absent, or null. */
function memberOf(thing: unknown, names: readonly string[]): unknown {
  if (!FITS.object(thing)) return undefined;
  for (const name of names) {
    const value = (thing as JsonObject)[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

const nameOf = (is: RequiredMember[1]): string => (is === 'object' ? 'an object' : `a ${is}`);
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
