import { usage } from '../../../projections/usage.ts';
import { newestCalls, usedCall } from '../../accounts/usage/newest-calls.ts';
import type { UsedCall } from '../../accounts/usage/usage-reader.ts';
import { isBuildOf } from '../../read-models/projector/builds.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { CommandError } from './arguments.ts';

/** One call of an account, with the members that `audit calls --json` prints. */
export interface CallEntry {
  readonly at: string;
  /** Null: of a session. */
  readonly key_id: number | null;
  /** Null when it fitted none. */
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
  readonly request_id: string;
}

/** An account's newest calls, the oldest of them first. @throws CommandError where usage is not projected yet */
export async function auditedCalls(
  { store }: Pick<ReadPorts, 'store'>,
  accountId: number,
  most: number,
): Promise<readonly CallEntry[]> {
  const { name, version } = usage;
  const build = await store.activeBuild(name);
  if (!isBuildOf(build, version)) {
    throw new CommandError(`the read model ${name} is not built yet, the next start of the server does it`);
  }
  const calls: CallEntry[] = [];
  for await (const some of newestCalls(store, { accountId })) {
    calls.push(...some.slice(0, most - calls.length).map((call) => entryOf(usedCall(call))));
    if (calls.length === most) break;
  }
  return calls.reverse();
}

const entryOf = ({ at, keyId, operation, status, credits, milliseconds, requestId }: UsedCall): CallEntry => ({
  at,
  key_id: keyId,
  operation,
  status,
  credits,
  milliseconds,
  request_id: requestId,
});
