import { z } from 'zod';
import type { Operation } from '../../../../src/api/calls/operation/operation.ts';

/** The paths of all members of an operation's answers, from its schemas as zod has them. */
export function pathsOf({ output }: Pick<Operation, 'output'>): string[] {
  return [...new Set(pathsIn(output, ''))];
}

function* pathsIn(schema: z.ZodType, start: string): Generator<string> {
  for (const inner of innerOf(schema)) yield* pathsIn(inner, start);
  if (!(schema instanceof z.ZodObject)) return;
  for (const [name, member] of Object.entries<any>(schema.shape)) {
    yield start + name;
    yield* pathsIn(member, `${start + name}.`);
  }
}

function innerOf(schema: any): z.ZodType[] {
  const { innerType, element, options, items, in: from, out } = schema.def;
  if (schema instanceof z.ZodUnion) return options;
  if (schema instanceof z.ZodTuple) return items;
  if (schema instanceof z.ZodPipe) return [out instanceof z.ZodTransform ? from : out];
  return [innerType, element].filter((one) => one !== undefined);
}
