import { ApiError } from '../../api/calls/api-errors.ts';
import type { Operation } from '../../api/calls/operation/operation.ts';
import { validationError } from '../../api/calls/operation/operation-input.ts';
import { readToolArguments } from '../../api/calls/operation/tool-arguments.ts';
import type { Pipeline } from '../../api/calls/pipeline/pipeline.ts';
import type { SignedInRequest } from './page-route.ts';
import type { SessionOwner } from './session-callers.ts';

export interface PageCallsParts {
  readonly callerOf: SessionOwner;
  readonly pipeline: Pick<Pipeline, 'handleCall' | 'execute'>;
}

/** Calls an operation for whoever is signed in, as programs call it. @throws what the operation throws */
type CallOfPage = <Output>(visit: SignedInRequest, operation: Operation, values: object) => Promise<Output>;

export const createPageCalls =
  ({ callerOf, pipeline }: PageCallsParts): CallOfPage =>
  async <Output>(visit: SignedInRequest, operation: Operation, values: object): Promise<Output> => {
    const caller = await callerOf(visit);
    let made: { readonly output: Output } | undefined;
    let failure: unknown;
    await pipeline.handleCall(
      { key: undefined, caller: () => caller, requestId: visit.requestId, operation: operation.name },
      async (open) => {
        const { input, errors } = readToolArguments(operation, values);
        if (errors) throw validationError(errors);
        made = await pipeline.execute<Output>(operation, input, open);
        return { statusCode: operation.status ?? 200 };
      },
      (error) => {
        failure = error;
        return { statusCode: error instanceof ApiError ? error.status : 500 };
      },
    );
    if (!made) throw failure;
    return made.output;
  };
