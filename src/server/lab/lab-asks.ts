import { ApiError, errorEnvelope } from '../../api/calls/api-errors.ts';
import { JSON_FORMAT } from '../../api/calls/operation/answer-format.ts';
import { createReadFinder } from '../../api/calls/operation/find-read.ts';
import type { Operation, OperationContext } from '../../api/calls/operation/operation.ts';
import { parametersOf } from '../../api/calls/operation/operation-input.ts';
import { selectFields } from '../../api/calls/operation/select-fields.ts';
import { resolveThingIds } from '../../api/calls/operation/thing-ids.ts';
import { formatTime, parseTime } from '../../domain/primitives/time.ts';
import { ProgramFault } from './program-lines.ts';

/** Answers what a program asks for, as of a moment in milliseconds. @returns one line of JSON */
export type AnswerAsk = (path: string, now: number) => Promise<string>;

const NO_HOST = '';
const REQUEST_ID = 'lab';

/** Whether an operation can be asked in a run: what it reads, it reads as of a moment. */
export const isAskable = (operation: Operation): boolean =>
  operation.method === 'GET' &&
  operation.path.startsWith('/v1/') &&
  !operation.streaming &&
  'as_of' in parametersOf(operation.input.query);

/**
 * The operations of the API on the log, as of the moment of the run. One that takes no `as_of` would answer with what is
 * known by now, so it is refused. So is `as_of_basis=recorded`: what the server had recorded by a moment, a source may
 * have observed a little later by its own clock.
 * @throws ProgramFault for a moment that is later than the run's
 */
export function createLabAsks(operations: readonly Operation[], context: OperationContext): AnswerAsk {
  const find = createReadFinder(operations);
  return async (path, now) => {
    const own: OperationContext = { ...context, now: () => now, latestUpdatedAt: () => now };
    try {
      const found = find({ path: asOfNow(path, now), format: JSON_FORMAT, now });
      if (!found) throw new ApiError('not_found', `${pathOf(path)} is no read of the API`);
      const { operation } = found;
      if (!isAskable(operation)) throw new ApiError('bad_request', refusalOf(operation));
      const asked = found.readInput(JSON_FORMAT);
      if (asked.as_of_basis !== 'observed') throw new ApiError('bad_request', NOT_BY_RECORDING);
      const { input } = resolveThingIds(operation.input, asked, context.replacements);
      await operation.check?.(input, own);
      return JSON.stringify(selectFields(await operation.run(input, own), input.fields));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return JSON.stringify(errorEnvelope(error, NO_HOST, REQUEST_ID));
    }
  };
}

const NOT_BY_RECORDING =
  'as_of_basis must be observed: what was recorded by now may have been observed later, and in a run that is not known yet';

const refusalOf = ({ method, path }: Operation): string =>
  `${method} ${path} takes no as_of: in a run it would tell what is known by now`;

const pathOf = (path: string): string => path.split('?', 1)[0]!;

/**
 * The path with the moment of the run, where it names none itself.
 * @throws ProgramFault for a later moment
 */
function asOfNow(path: string, now: number): string {
  const query = new URLSearchParams(path.includes('?') ? path.slice(path.indexOf('?') + 1) : '');
  for (const asked of query.getAll('as_of')) {
    const at = parseTime(asked);
    if (at !== null && at > now)
      throw new ProgramFault(`the program asked at ${formatTime(now)} for what is later: ${path}`);
  }
  if (!query.has('as_of')) query.set('as_of', formatTime(now));
  if (!query.has('as_of_basis')) query.set('as_of_basis', 'observed');
  return `${pathOf(path)}?${query}`;
}
