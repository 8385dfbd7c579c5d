import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { asNumber, asText, asTime, type JsonObject } from '../parsing/json-values.ts';
import type { AnswerItem } from './provider.ts';

/**
 * A member without which an item of an answer cannot be read. The path leads to it from the item: `a.b`. `a[].b` is the
 * member of every item of a list, and the list has a path of its own. `a|b` is the first of both that is present.
 */
export type RequiredMember = readonly [path: string, is: 'text' | 'time' | 'number' | 'list' | 'object'];

/** If one in this many items of an answer lacks a member, the provider has changed its format. */
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
 * The members that are absent or have another type in a fifth of the items or more.
 * @param at path of the items in the answer: `events[]`
 */
export async function findDrift(
  things: readonly unknown[],
  at: string,
  needed: readonly RequiredMember[],
): Promise<readonly AnswerItem[]> {
  const drifted: AnswerItem[] = [];
  for (const [path, is] of needed) {
    const steps = stepsOf(path);
    let first: string | undefined;
    let count = 0;
    for (const thing of things) {
      await yieldToEventLoop();
      const problem = problemOf(thing, steps, 0, is);
      if (problem === undefined) continue;
      first ??= problem;
      count++;
    }
    if (first === undefined || count * DRIFTED_ONE_IN < things.length) continue;
    const problem = `${first} in ${count} of ${things.length}`;
    drifted.push({ drift: { path: at === '' ? path : `${at}.${path}`, problem } });
  }
  return drifted;
}

/** A member, under the first of these names that is present, or the items of a list. */
interface Step {
  readonly names: readonly string[];
  readonly many: boolean;
}

const stepsOf = (path: string): Step[] =>
  path.split('.').map((step) => {
    const many = step.endsWith('[]');
    return { names: (many ? step.slice(0, -2) : step).split('|'), many };
  });

/** @param at index of the step that continues from the item */
function problemOf(thing: unknown, steps: readonly Step[], at: number, is: RequiredMember[1]): string | undefined {
  const step = steps[at];
  if (!step) return FITS[is](thing) ? undefined : `is ${kindOf(thing)}, not ${nameOf(is)}`;
  const value = memberOf(thing, step.names);
  if (!step.many) return value === undefined ? 'is absent' : problemOf(value, steps, at + 1, is);
  // A missing list is a problem of the list's own path.
  if (!Array.isArray(value)) return undefined;
  for (const item of value) {
    const problem = problemOf(item, steps, at + 1, is);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Undefined if the member is absent or null. */
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
