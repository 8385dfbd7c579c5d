import { ApiError } from '../calls/api-errors.ts';
import { FIELDS_PARAMETER } from '../calls/operation/answer-fields.ts';
import type { Operation, OperationContext } from '../calls/operation/operation.ts';
import { parametersOf } from '../calls/operation/operation-input.ts';
import { selectFields } from '../calls/operation/select-fields.ts';

/** Characters of an answer's text that count as one token. */
const CHARACTERS_PER_TOKEN = 4;
const DEFAULT_TOKENS = 8000;
const MAX_TOKENS = 20_000;

const MAX_TOKENS_PARAMETER = { max_tokens: { type: 'integer', minimum: 1, maximum: MAX_TOKENS } };
/** Arguments of reading tools that say how much of an answer is sent. */
export const SIZE_PARAMETERS = { [FIELDS_PARAMETER]: { type: 'string' }, ...MAX_TOKENS_PARAMETER };

/** @param given the arguments of a tool @throws ApiError validation_error */
export function readMaxTokens({ method }: Pick<Operation, 'method'>, given: unknown): number {
  const value = (given as { readonly max_tokens?: unknown } | undefined)?.max_tokens ?? DEFAULT_TOKENS;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TOKENS) return Number(value);
  const msg = `must be an integer from 1 to ${MAX_TOKENS}`;
  throw new ApiError('validation_error', `max_tokens: ${msg}`, {
    errors: [{ loc: [method === 'GET' ? 'query' : 'body', 'max_tokens'], msg, type: 'out_of_range' }],
  });
}

/**
 * The operation with answers of at most so many tokens: a longer one is cut at a whole row, at least one is left, and
 * `truncated: true` says so. Where the operation takes a `limit`, it is run again with a smaller one, so that its cursor
 * goes on after the last row. The price is that of what is left.
 */
export function fitted(operation: Operation, maxTokens: number): Operation {
  const limited = takesLimit(operation);
  return {
    ...operation,
    async run(input: any, context: OperationContext) {
      const output = await operation.run(input, context);
      const room = maxTokens * CHARACTERS_PER_TOKEN;
      // The pipeline leaves out what is not selected, after the price is known.
      const sent: Sent = (answer) => selectFields(answer, input.fields);
      if (lengthOf(sent(output)) <= room) return output;
      return limited
        ? withFewerRows(output, room, sent, (limit) => operation.run({ ...input, limit }, context))
        : cut(output, room, sent);
    },
  };
}

/** An answer that was made before, cut to so many tokens. */
export function fitAnswer<Output>(output: Output, maxTokens: number): Output {
  const room = maxTokens * CHARACTERS_PER_TOKEN;
  return lengthOf(output) <= room ? output : cut(output, room, whole);
}

/** What of an answer is sent. */
type Sent = (answer: any) => any;
const whole: Sent = (answer) => answer;

const TRUNCATED = { truncated: true };
const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const takesLimit = ({ input }: Operation): boolean =>
  Object.hasOwn(parametersOf(input.query), 'limit') || Object.hasOwn(parametersOf(input.body), 'limit');

/** Attempts with ever fewer rows: rows differ in length, and others may come meanwhile. */
const ATTEMPTS = 3;

async function withFewerRows<Output>(
  output: Output,
  room: number,
  sent: Sent,
  runAgain: (limit: number) => Promise<Output>,
): Promise<Output> {
  let last = output;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seen = { ...sent(last), ...TRUNCATED };
    const rows = longestList(seen);
    if (!rows || rows.length < 2) break;
    const spare = room - (lengthOf(seen) - lengthOf(rows));
    last = await runAgain(Math.max(1, Math.min(rows.length - 1, countFitting(rows, spare))));
    if (lengthOf({ ...sent(last), ...TRUNCATED }) <= room) return { ...last, ...TRUNCATED };
  }
  return last === output ? cut(output, room, sent) : { ...cut(last, room, sent), ...TRUNCATED };
}

/** The list among the answer's own members that takes the most room. */
function longestList(output: object): readonly unknown[] | undefined {
  const lists = Object.values(output).filter((member): member is readonly unknown[] => Array.isArray(member));
  return lists.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** How many rows from the first on fit into so many characters, commas and brackets counted. */
function countFitting(rows: readonly unknown[], room: number): number {
  let left = room - 2;
  const tooMany = rows.findIndex((row) => {
    left -= lengthOf(row) + 1;
    return left < -1;
  });
  return tooMany < 0 ? rows.length : tooMany;
}

/** A list somewhere in an answer. */
interface FoundList {
  readonly list: unknown[];
  readonly length: number;
}

/**
 * Cuts the longest list, then the next, until the answer fits or every list has one row. The given answer is unchanged;
 * it is returned where there is nothing to cut.
 */
function cut<Output>(output: Output, room: number, sent: Sent): Output {
  const copy = { ...structuredClone(output), ...TRUNCATED };
  let isCut = false;
  for (;;) {
    const excess = lengthOf(sent(copy)) - room;
    const longest = excess <= 0 ? undefined : longestOf(copy);
    if (!longest) return isCut ? copy : output;
    const { list, length } = longest;
    // Of rows that are sent in part it is not known how long they are.
    const fitting = sent === whole ? countFitting(list, length - excess) : list.length >> 1;
    list.length = Math.max(1, Math.min(list.length - 1, fitting));
    isCut = true;
  }
}

function longestOf(value: unknown): FoundList | undefined {
  const lists: FoundList[] = [];
  collectLists(value, lists);
  return lists.toSorted((a, b) => b.length - a.length)[0];
}

/** All lists of two rows or more. */
function collectLists(value: unknown, found: FoundList[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 1) found.push({ list: value, length: lengthOf(value) });
  for (const member of Object.values(value)) collectLists(member, found);
}
