import { type UsageDocument, usage } from '../../projections/usage.ts';
import type { ReadPorts } from '../composition/ports.ts';
import type { AnsweredCall, ChargedCall } from '../domain/accounts/calls.ts';
import { type CallsAnswered, type CreditsCharged, callsOf } from '../domain/accounts/facts.ts';
import { isBuildOf } from '../store/builds.ts';
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
  const newest = await store.find<UsageDocument>(name, {
    where: { account: accountId },
    order: { field: 'at', direction: 'desc' },
    // Every document holds a call, so that no more of them are ever needed.
    limit: most,
  });
  const calls: CallEntry[] = [];
  const seen = new Set<string>();
  for (const { document } of newest) {
    if (calls.length >= most && Date.parse(document.at) < Date.parse(byTime(calls).at(-most)!.at) - GATHERED_FOR) break;
    const [record] = await log.readStream(document.stream, { fromRevision: document.revision, limit: 1 });
    const { data, meta } = record!;
    // Its writer has appended it twice.
    if (meta.id !== undefined && seen.has(meta.id)) continue;
    if (meta.id !== undefined) seen.add(meta.id);
    calls.unshift(...callsOf(data as CreditsCharged | CallsAnswered).map(entryOf));
  }
  return byTime(calls).slice(-most);
}

/** Milliseconds within which the calls of one record came in, at most: one that begins earlier may hold newer calls. */
const GATHERED_FOR = 10_000;

const byTime = (calls: readonly CallEntry[]): CallEntry[] =>
  [...calls].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));

const entryOf = (call: AnsweredCall | ChargedCall): CallEntry => ({
  at: call.at,
  key_id: call.keyId,
  operation: call.operation,
  status: call.status,
  credits: 'credits' in call ? call.credits : 0,
  milliseconds: call.milliseconds,
  request_id: call.requestId,
});
