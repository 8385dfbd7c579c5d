import type { Random } from './random.ts';

/** Names that every object has, and others that trip code up. */
export const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'length',
  '',
  ' ',
  '0',
  '-1',
  'a|b',
  'name:x',
  'team:1',
  'p1',
  'n:x',
  '..',
  '*',
];

const deep = (levels: number, open: string, close: string) => JSON.parse(open.repeat(levels) + close.repeat(levels));

export const HOSTILE_TEXTS = [
  ...HOSTILE_NAMES,
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ud83d\ude00',
  '\u202e\u200b',
  '\ufeff',
  'İ',
  'ﬁ',
  'é'.repeat(299),
  'x'.repeat(300),
  'x'.repeat(301),
  'x'.repeat(100_000),
  "'; drop table names; --",
  '%00',
  '{x}',
  '2026-02-30T00:00:00Z',
  '2026-02-28T24:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '2026-09-10T18:00:00.123456789Z',
  '2026-09-10T18:00:00+02:00',
  'NaN',
  '1e999',
  'S1',
  '6 4 6',
  '-',
  '/',
  'A/B/C',
];

const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1,
  99,
  100,
  -100,
  0.5,
  1e-300,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  1_000_000,
  1_000_001,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_VALUE,
];

const HOSTILE_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => deep(39, '[', ']'),
  () => deep(60, '[', ']'),
  () => JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
  () => '<arrays 3000>',
  () => '<arrays 100000>',
  () => '<objects 20000>',
  () => JSON.parse('{"__proto__": {"status": "final"}}'),
  () => JSON.parse('{"constructor": {"prototype": {"x": 1}}}'),
  () => ({ toString: 1, valueOf: null }),
  () => ({ toJSON: 'x' }),
  () => ({ length: 2 ** 32 }),
  () => ({ length: { toString: 1, valueOf: 1 } }),
  () => Array.from({ length: 600 }, (_, index) => index),
];

/** JSON text, with nesting that deep as only text can hold it. */
export const hostileJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"<(arrays|objects) (\d+)>"/g, (_, kind: string, levels: string) => {
    const [open, close] = kind === 'arrays' ? ['[', ']'] : ['{"a":', '}'];
    return `${open.repeat(Number(levels))}1${close.repeat(Number(levels))}`;
  });

export function hostileValue(random: Random): unknown {
  switch (random.below(4)) {
    case 0:
      return random.pick(HOSTILE_NUMBERS);
    case 1:
      return random.pick(HOSTILE_VALUES)();
    default:
      return random.pick(HOSTILE_TEXTS);
  }
}

type Json = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Json => typeof value === 'object' && value !== null;

function containersOf(value: Json, depth = 0): Json[] {
  if (depth > 10) return [value];
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return [value, ...members.filter(isContainer).flatMap((member) => containersOf(member, depth + 1))];
}

/** A copy with one to four things of it changed: replaced, left out, renamed, doubled or added. */
export function mutated(original: Record<string, unknown>, random: Random): Record<string, unknown> {
  const copy = structuredClone(original);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const container = random.pick(containersOf(copy));
    if (Array.isArray(container)) mutateArray(container, random);
    else mutateObject(container, random);
  }
  return copy;
}

function mutateArray(items: unknown[], random: Random): void {
  const index = random.below(items.length + 1);
  switch (random.below(4)) {
    case 0:
      items.splice(index, 1);
      break;
    case 1:
      items.push(structuredClone(items[index % Math.max(items.length, 1)]));
      break;
    default:
      items[index] = hostileValue(random);
  }
}

function mutateObject(members: Record<string, unknown>, random: Random): void {
  const keys = Object.keys(members);
  const key = keys.length > 0 ? random.pick(keys) : 'x';
  const put = (name: string, value: unknown) =>
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  switch (random.below(6)) {
    case 0:
      delete members[key];
      break;
    case 1: {
      const value = members[key];
      delete members[key];
      put(random.pick(HOSTILE_NAMES), value);
      break;
    }
    case 2:
      put(random.pick(HOSTILE_NAMES), hostileValue(random));
      break;
    default:
      put(key, hostileValue(random));
  }
}
