import { OPERATOR } from '../../domain/feed/identity-message.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { Identities, WaitingGroup } from '../../ingest/identities/identities.ts';
import type { Intake, Outcome } from '../../ingest/intake/intake.ts';
import type { SourceDismissal } from '../../web/account/admin/identity-desk.ts';
import { ActRefused } from './do-act.ts';
import { waitingGroupPages } from './waiting-group-pages.ts';

interface DismissalParts {
  readonly intake: Intake;
  readonly identities: Pick<Identities, 'listWaitingGroups'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Groups that are given up at once: each is an act. */
const MOST_GROUPS = 200;
/** Groups beyond them that are counted. */
const MOST_LEFT = 1000;
/** Acts of a batch: more would hold the event loop. */
const ACTS_AT_ONCE = 20;

/**
 * Gives up what waits of a source, by an act for each group.
 * @param isTrial only counts
 * @throws ActRefused if none was taken
 */
export async function dismissSource(
  { intake, identities, now }: DismissalParts,
  source: string,
  { by, note }: { readonly by: string; readonly note?: string | undefined },
  isTrial: boolean,
): Promise<SourceDismissal> {
  const { given, left, isMoreLeft } = await groupsOfSource(identities, source);
  const count = (groups: readonly WaitingGroup[]) => groups.reduce((sum, { messages }) => sum + messages, 0);
  if (isTrial || given.length === 0) return { groups: given.length, messages: count(given), left, isMoreLeft };
  const at = formatTime(now());
  const said = { by, ...(note === undefined ? {} : { note }) };
  const act = { kind: 'identity', source: OPERATOR, at, action: 'dismiss', ...said };
  const outcomes: Outcome[] = [];
  for (let from = 0; from < given.length; from += ACTS_AT_ONCE) {
    const some = given.slice(from, from + ACTS_AT_ONCE);
    const items = some.map(({ id }, index) => ({ line: index + 1, value: { ...act, waiting: id } }));
    outcomes.push(...(await intake.accept(items)).outcomes);
  }
  const done = given.filter((_, index) => outcomes[index]!.status === 'accepted');
  const [first] = outcomes;
  if (done.length === 0 && first?.status === 'rejected') throw new ActRefused(first.code, first.message);
  return { groups: done.length, messages: count(done), left: left + given.length - done.length, isMoreLeft };
}

async function groupsOfSource(identities: DismissalParts['identities'], source: string) {
  const given: WaitingGroup[] = [];
  let left = 0;
  for await (const groups of waitingGroupPages(identities, source)) {
    if (left >= MOST_LEFT) return { given, left, isMoreLeft: true };
    const taken = groups.slice(0, MOST_GROUPS - given.length);
    given.push(...taken);
    left += groups.length - taken.length;
  }
  return { given, left, isMoreLeft: false };
}
