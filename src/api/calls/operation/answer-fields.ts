import { z } from 'zod';
import type { ApiError } from '../api-errors.ts';
import type { AnswerFormat } from './answer-format.ts';
import { effectOf, type Operation } from './operation.ts';
import { validationError } from './operation-input.ts';
import { findUnknownMember, type UnknownMember } from './schema-members.ts';
import { shortestPaths } from './select-fields.ts';
import { jsonSchemaOf } from './zod-json-schema.ts';

/** Parameter of every operation that reads and has one answer: it selects members of the answer. */
export const FIELDS_PARAMETER = 'fields';

const MAX_CHARACTERS = 2000;
const MAX_PATHS = 100;
/** Names of members that an error shows at most. */
const MAX_NAMES = 40;

/** An operation whose callers may select members of its answer; the same one if it has no answer to select from. */
export function withFields(operation: Operation): Operation {
  if (effectOf(operation) !== 'reads' || operation.streaming) return operation;
  const part = fieldsPart(operation);
  const given = (operation.input[part] ?? z.object({})) as z.ZodObject;
  if (FIELDS_PARAMETER in given.shape) throw new Error(`${operation.name} has an argument ${FIELDS_PARAMETER} already`);
  const fields = fieldsParameter(operation.output).optional();
  return { ...operation, input: { ...operation.input, [part]: given.safeExtend({ [FIELDS_PARAMETER]: fields }) } };
}

const fieldsPart = ({ method }: Pick<Operation, 'method'>): 'query' | 'body' => (method === 'GET' ? 'query' : 'body');

/** A list of paths to members that this schema has; read as the shortest paths. */
const fieldsParameter = (output: z.ZodType) =>
  z
    .string({ error: 'must be a string' })
    .max(MAX_CHARACTERS, { error: `must have at most ${MAX_CHARACTERS} characters`, abort: true })
    .transform((list, context) => {
      const paths = [...new Set(list.split(',').map((path) => path.trim()))].filter((path) => path !== '');
      const messages = refusalsOf(paths, output);
      if (messages.length === 0) return shortestPaths(paths);
      for (const message of messages) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({
      description:
        'The members of the answer to have, comma-separated; a dot leads into objects and lists. All others are left out, but for totals and cursors.',
    });

function refusalsOf(paths: readonly string[], output: z.ZodType): readonly string[] {
  if (paths.length === 0) return ['must name a member of the answer'];
  if (paths.length > MAX_PATHS) return [`must name at most ${MAX_PATHS} members`];
  const schema = jsonSchemaOf(output, 'output');
  return paths.flatMap((path) => {
    const unknown = findUnknownMember(path, schema);
    return unknown ? [describeUnknown(path, unknown)] : [];
  });
}

function describeUnknown(path: string, { known, names }: UnknownMember): string {
  const at = known === '' ? 'the answer' : known;
  if (names.length === 0) return `${JSON.stringify(path)} is no member of the answer: ${at} can only be had as a whole`;
  const shown = names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', ...' : '');
  return `${JSON.stringify(path)} is no member of the answer: ${at} has ${shown}`;
}

/**
 * Refuses a selection of members for an answer that is no JSON: a table has its columns in their places, whatever is asked
 * for.
 * @throws ApiError validation_error
 */
export function requireJsonForFields(
  operation: Pick<Operation, 'method'>,
  input: { readonly fields?: unknown },
  format: AnswerFormat | undefined,
): void {
  if (format && input.fields !== undefined) throw jsonOnly(operation, format);
}

const jsonOnly = (operation: Pick<Operation, 'method'>, { name }: AnswerFormat): ApiError =>
  validationError([
    {
      loc: [fieldsPart(operation), FIELDS_PARAMETER],
      msg: `goes with JSON only: an answer as ${name} always has everything, in its place`,
      type: 'invalid_value',
    },
  ]);
