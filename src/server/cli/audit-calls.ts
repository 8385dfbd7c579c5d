import { usage } from '../../../projections/accounts/usage.ts';
import { readNewestCalls, toUsageCall } from '../../accounts/usage/newest-calls.ts';
import type { UsageCall } from '../../accounts/usage/usage-reader.ts';
import { isGenerationOf } from '../../read-models/projector/folding/generations.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { CommandError } from './arguments.ts';

/** One call of an account, with the members that `audit calls --json` prints. */
export interface CallEntry {
  readonly at: string;
  /** Null: the call came from a session. */
  readonly key_id: number | null;
  /** Null if the request fitted no operation. */
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
  readonly request_id: string;
}

/** An account's newest calls, oldest first. @throws CommandError if usage is not projected yet */
export async function auditedCalls(
  { store }: Pick<ReadPorts, 'store'>,
  accountId: number,
  most: number,
): Promise<readonly CallEntry[]> {
  const { name, version } = usage;
  const build = await store.activeGeneration(name);
  if (!isGenerationOf(build, version)) {
    throw new CommandError(`the read model ${name} is not built yet, the next start of the server does it`);
  }
  const calls: CallEntry[] = [];
  for await (const some of readNewestCalls(store, { accountId })) {
    calls.push(...some.slice(0, most - calls.length).map((call) => entryOf(toUsageCall(call))));
    if (calls.length === most) break;
  }
  return calls.reverse();
}

const entryOf = ({ at, keyId, operation, status, credits, milliseconds, requestId }: UsageCall): CallEntry => ({
  at,
  key_id: keyId,
  operation,
  status,
  credits,
  milliseconds,
  request_id: requestId,
});
