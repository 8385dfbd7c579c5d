import type { Operation, OperationContext } from '../../api/calls/operation/operation.ts';
import { validationError } from '../../api/calls/operation/operation-input.ts';
import { resolveThingIds } from '../../api/calls/operation/thing-ids.ts';
import { readToolArguments } from '../../api/calls/operation/tool-arguments.ts';
import { ANONYMOUS_PRINCIPAL } from '../../api/calls/principal.ts';

/** What operations read, before it is known who calls them. */
export type KeylessContext = Omit<OperationContext, 'principal' | 'call'>;

/** Calls an operation for whoever reads the page, as programs call it. @throws what the operation throws */
export type KeylessCall = <Output>(
  operation: Operation<any, any, any, Output>,
  values: Readonly<Record<string, unknown>>,
) => Promise<Output>;

export const keylessContext = (context: KeylessContext): OperationContext => ({
  ...context,
  principal: ANONYMOUS_PRINCIPAL,
  call: { requestId: 'page' },
});

/** Calls cost nothing: whatever page makes them counts its readers by itself. */
export function createKeylessCalls(context: OperationContext): KeylessCall {
  return async (operation, values) => {
    const { input, errors } = readToolArguments(operation, values);
    if (errors) throw validationError(errors);
    return operation.run(resolveThingIds(operation.input, input, context.replacements).input, context);
  };
}
