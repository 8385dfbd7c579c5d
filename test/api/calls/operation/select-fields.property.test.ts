import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELDS_PARAMETER } from '../../../../src/api/calls/operation/answer-fields.ts';
import { effectOf, type Operation } from '../../../../src/api/calls/operation/operation.ts';
import { selectFields } from '../../../../src/api/calls/operation/select-fields.ts';
import { readToolArguments } from '../../../../src/api/calls/operation/tool-arguments.ts';
import { jsonSchemaOf } from '../../../../src/api/calls/operation/zod-json-schema.ts';
import { operations } from '../../../../src/api/operations/index.ts';
import { cases } from '../../../support/cases.ts';
import { jsonOf } from '../../tables/json-of-schema.ts';
import { pathsOf } from './answer-paths.ts';

const reading = operations.filter((operation) => effectOf(operation) === 'reads' && !operation.streaming);
const ALWAYS = ['available', 'total', 'has_more', 'next_after', 'next_after_id'];

/** What is read of `fields`: the paths to select, or the errors. The other arguments are missing, which is none of its. */
function readFields(operation: Operation, fields: unknown): { paths?: readonly string[]; errors: readonly any[] } {
  const part = operation.method === 'GET' ? 'query' : 'body';
  const { errors = [] } = readToolArguments(operation, { [FIELDS_PARAMETER]: fields });
  const own = errors.filter(({ loc }) => loc.includes(FIELDS_PARAMETER));
  expect(own.every(({ loc }) => loc.join() === `${part},${FIELDS_PARAMETER}`)).toBe(true);
  if (own.length > 0) return { errors: own };
  const schema = (operation.input[part] as any).shape[FIELDS_PARAMETER];
  return { paths: schema.parse(fields), errors: [] };
}

type Step = string | number;

/** Everything that a value holds, itself included, with the way there. What encloses comes first. */
function* nodesOf(
  value: unknown,
  way: readonly Step[] = [],
): Generator<readonly [way: readonly Step[], value: unknown]> {
  yield [way, value];
  if (typeof value !== 'object' || value === null) return;
  const members: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [step, member] of members) yield* nodesOf(member, [...way, step]);
}

/** The slow way: each thing by itself is kept or not, and the answer is built again from what is kept. */
function modelOf(answer: unknown, paths: readonly string[]): unknown {
  const selected = [...paths, ...ALWAYS];
  let built: any;
  for (const [way, value] of nodesOf(answer)) {
    const name = way.filter((step) => typeof step === 'string').join('.');
    const isKept = selected.some(
      (path) => name === '' || path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`),
    );
    if (!isKept) continue;
    const copy = Array.isArray(value) ? [] : typeof value === 'object' && value !== null ? {} : value;
    if (way.length === 0) built = copy;
    else way.slice(0, -1).reduce((at, step) => at[step], built)[way.at(-1)!] = copy;
  }
  return built;
}

const pathsByOperation = new Map(reading.map((operation) => [operation, pathsOf(operation)]));
const operation = fc.constantFrom(...reading);

describe('fields', () => {
  it('give what a slow model gives, of any answer that the schema allows', () => {
    const asked = operation.chain((one) =>
      fc.record({
        one: fc.constant(one),
        answer: jsonOf(jsonSchemaOf(one.output, 'output')),
        fields: fc.array(fc.constantFrom(...pathsByOperation.get(one)!), { minLength: 1, maxLength: 6 }),
      }),
    );
    fc.assert(
      fc.property(asked, ({ one, answer, fields }) => {
        const before = JSON.stringify(answer);
        const { paths } = readFields(one, fields.join(' , '));
        const selected = selectFields(answer, paths);
        expect(JSON.stringify(selected)).toBe(JSON.stringify(modelOf(answer, fields)));
        expect(JSON.stringify(selectFields(selected, paths)), 'twice is the same as once').toBe(
          JSON.stringify(selected),
        );
        expect(JSON.stringify(answer), 'the answer itself stays').toBe(before);
      }),
      { numRuns: cases(3000) },
    );
  });

  it('are 422 where a path is no member by the schema, and name it', () => {
    const names = fc.constantFrom(
      'id',
      'events',
      'name',
      'odds',
      'bookmakers',
      'data',
      'x',
      'length',
      '0',
      '__proto__',
    );
    const asked = operation.chain((one) => {
      const known = fc.constantFrom(...pathsByOperation.get(one)!);
      const path = fc.oneof(
        known,
        fc.array(names, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.')),
        fc.tuple(known, names).map((steps) => steps.join('.')),
        known.map((some) => `${some}.`),
        known.map((some) => some.toUpperCase()),
      );
      return fc.record({ one: fc.constant(one), paths: fc.array(path, { minLength: 1, maxLength: 4 }) });
    });
    fc.assert(
      fc.property(asked, ({ one, paths }) => {
        const known = new Set(pathsByOperation.get(one)!);
        const unknown = [...new Set(paths)].filter((path) => !known.has(path));
        const { errors } = readFields(one, paths.join());
        expect(errors.map(({ msg }) => /^("(?:[^"\\]|\\.)*")/.exec(msg)?.[1])).toEqual(
          unknown.map((path) => JSON.stringify(path)),
        );
      }),
      { numRuns: cases(3000) },
    );
  });

  it('are read the same way, whatever their order and whatever else they hold twice', () => {
    const asked = operation.chain((one) => {
      const some = fc.array(fc.constantFrom(...pathsByOperation.get(one)!), { minLength: 1, maxLength: 6 });
      return fc.record({ one: fc.constant(one), some, more: fc.infiniteStream(fc.nat()) });
    });
    fc.assert(
      fc.property(asked, ({ one, some, more }) => {
        const within = pathsByOperation.get(one)!.filter((path) => some.some((above) => path.startsWith(`${above}.`)));
        const shuffled = [...some, ...some, ...within.slice(0, 20)]
          .map((path) => ({ path, place: more.next().value! }))
          .sort((a, b) => a.place - b.place)
          .map(({ path }) => path);
        expect(readFields(one, shuffled.join())).toEqual(readFields(one, some.join()));
      }),
      { numRuns: cases(1000) },
    );
  });
});
