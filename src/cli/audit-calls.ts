import { type UsageDocument, usage } from '../../projections/usage.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { callsOf, columnsOf, creditsAt } from '../domain/accounts/call-columns.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import type { CallsAnswered, CreditsCharged } from '../domain/accounts/facts.ts';
import { isBuildOf } from '../store/builds.ts';
import { CommandError } from './arguments.ts';

/** One call of an account, with the members that `audit calls --json` prints. */
export interface CallEntry {
  readonly at: string;
  readonly key_id: number;
  /** Null when it fitted none. */
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
  readonly request_id: string;
}

const PAGE = 500;

/** An account's newest calls, the oldest of them first. @throws CommandError where usage is not projected yet */
export async function newestCalls(
  { store, log }: Pick<ReadPorts, 'store' | 'log'>,
  accountId: number,
  most: number,
): Promise<readonly CallEntry[]> {
  const { name, version } = usage;
  const build = await store.activeBuild(name);
  if (!isBuildOf(build, version)) {
    throw new CommandError(`the read model ${name} is not built yet, the next start of the server does it`);
  }
  const newest: UsageDocument[] = [];
  let count = 0;
  let after: { value: string; id: number } | undefined;
  while (count < most) {
    // Every document holds a call, so that no more of them are ever needed.
    const limit = Math.min(PAGE, most - count);
    const page = await store.find<UsageDocument>(name, {
      where: { account: accountId },
      order: { field: 'at', direction: 'desc' },
      ...(after ? { after } : {}),
      limit,
    });
    for (const { document } of page) {
      newest.push(document);
      count += document.calls;
    }
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    after = { value: last.document.at, id: Number(last.key) };
  }
  const calls: CallEntry[] = [];
  for (const { stream, revision } of newest.reverse()) {
    const [record] = await log.readStream(stream, { fromRevision: revision, limit: 1 });
    const columns = columnsOf(record!.data as CreditsCharged | CallsAnswered);
    calls.push(...callsOf(columns).map((call, place) => entryOf(call, creditsAt(columns, place))));
  }
  return calls.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-most);
}

const entryOf = (call: AnsweredCall, credits: number): CallEntry => ({
  at: call.at,
  key_id: call.keyId,
  operation: call.operation,
  status: call.status,
  credits,
  milliseconds: call.milliseconds,
  request_id: call.requestId,
});
