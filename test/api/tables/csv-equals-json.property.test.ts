import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatsOf } from '../../../src/api/calls/operation/answer-format.ts';
import type { OperationContext } from '../../../src/api/calls/operation/operation.ts';
import { jsonSchemaOf } from '../../../src/api/calls/operation/zod-json-schema.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { cases } from '../../support/cases.ts';
import { cellText, EXPECTED_ROWS } from './expected-rows.ts';
import { jsonOf } from './json-of-schema.ts';

const NO_CONTEXT = {} as OperationContext;
const lists = operations.filter(({ table }) => table);

it('every operation that answers a list of rows has a table', () => {
  expect(lists.map(({ name }) => name).sort()).toEqual(Object.keys(EXPECTED_ROWS).sort());
});

describe('the CSV of any answer has the rows and cells of its JSON', () => {
  for (const { name, output, table } of lists) {
    it(name, async () => {
      const csv = formatsOf({ table }).get('csv')!;
      const answers = jsonOf(jsonSchemaOf(output, 'output'));
      await fc.assert(
        fc.asyncProperty(answers, async (answer) => {
          const text = await csv.write(answer, NO_CONTEXT);
          const read: string[][] = parse(text, { record_delimiter: '\r\n' });
          const [columns, ...rows] = read;
          expect(columns).toEqual(table!.columns.map((column) => column.name));
          // The JSON is what the client gets.
          const expected = EXPECTED_ROWS[name]!(JSON.parse(JSON.stringify(answer)));
          const missing = new Set(expected.flatMap((row) => Object.keys(row)).filter((one) => !columns!.includes(one)));
          // A null object has no members, so it shows as empty cells of its members.
          for (const one of missing)
            expect(
              expected.every((row) => row[one] == null),
              `${one} is no column`,
            ).toBe(true);
          expect(rows).toEqual(expected.map((row) => columns!.map((column) => cellText(row[column]))));
        }),
        { numRuns: cases(300, 60) },
      );
    });
  }
});
