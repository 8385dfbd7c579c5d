import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical.ts';
import type { Done, Operation, OperationContext } from '../operation.ts';
import { refusedKey } from './idempotency-key.ts';
import type { RememberedAnswers } from './remembered-answers.ts';

/**
 * Runs a call, unless it came with an `Idempotency-Key` that has its answer already: then it gets that one.
 * @throws ApiError validation_error where the key was used for something else; and whatever `run` throws
 */
export type AnswerOnce = (
  operation: Operation,
  input: any,
  context: OperationContext,
  run: () => Promise<Done>,
) => Promise<Done>;

export interface AnswerOnceParts {
  readonly remembered: RememberedAnswers;
  /** Milliseconds. */
  readonly now: () => number;
  /** Told when an answer could not be kept; the client has it all the same. */
  readonly onError: (error: unknown) => void;
}

/**
 * Calls with the same key wait for each other, so that each finds the answer of the one before, or runs where that one
 * has failed. They wait in this process: one key must not go to two servers at once.
 *
 * A crash after an operation has run and before its answer is kept leaves a deed that nobody remembers: repeated, a
 * creation makes a second one then. For a key that does little harm, for nobody has seen the first one's secret; it
 * stands in the list, and can be revoked. Where money moves, the operation hands its own key to whoever moves it.
 */
export function createAnswerOnce({ remembered, now, onError }: AnswerOnceParts): AnswerOnce {
  const running = new Map<string, Promise<void>>();

  return async (operation, input, context, run) => {
    const { remembers } = operation;
    const key = context.call.idempotencyKey;
    if (!remembers || key === undefined) return run();
    const place = { accountId: context.principal.accountId, path: pathOf(operation, input), key };
    const name = JSON.stringify(place);
    for (let before = running.get(name); before; before = running.get(name)) await before;
    let end!: () => void;
    running.set(name, new Promise((resolve) => (end = resolve)));
    try {
      const requestHash = hashOf(input);
      const found = await remembered.find(place, now());
      if (found) {
        if (found.requestHash !== requestHash) throw refusedKey('was used for another request already', 'reused');
        return { output: await remembers.repeat(found.answer, context), credits: 0, isRepeated: true };
      }
      const done = await run();
      const keep = async () => {
        const answer = remembers.keep(done.output, context);
        await remembered.keep(place, { requestHash, answer }, now());
      };
      await keep().catch(onError);
      return done;
    } finally {
      running.delete(name);
      end();
    }
  };
}

/** As every way in has it: MCP knows no address but that of the operation. */
const pathOf = ({ path }: Operation, input: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]));

/** Of the request as it was understood: blanks, the order of members and unknown ones make no other request. */
const hashOf = (input: unknown): string => createHash('sha256').update(canonicalJson(input)).digest('hex');
