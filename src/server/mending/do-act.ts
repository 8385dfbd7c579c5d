import { firstActOf, numberedActs } from '../../../commands/identity-decider.ts';
import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import { OPERATOR } from '../../domain/feed/identity-message.ts';
import { rootMove } from '../../domain/identities/connected-events.ts';
import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { DomainEventData } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { formatIdentityKey, toRefKey } from '../../ingest/identities/identity-key.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import { countMoved } from '../../ingest/mending/count-moved.ts';
import type { FeedIntake } from '../../ingest/pipeline/feed-intake.ts';
import type { DoneRow, WantedAct } from '../../web/account/admin/identity-desk.ts';
import { fromOf, partsOf, readActs, toActRow, toTrialRow } from './act-rows.ts';
import { actTargets } from './act-targets.ts';
import { changesOf, tryChange, viewEvents } from './changed-events.ts';
import { documentsFromLog } from './documents-from-log.ts';

export interface MendingParts {
  readonly intake: Intake;
  /** Tries a message without keeping anything; see `FeedIntake.preview`. */
  readonly preview: FeedIntake['preview'];
  readonly identities: Pick<Identities, 'findWaitingGroup' | 'listRefs' | 'listNames'>;
  readonly log: Pick<EventLog, 'readStream' | 'replacements' | 'head'>;
  /** Milliseconds. */
  readonly now: () => number;
}

/** An act that was refused; `code` is that of the message's rejection. */
export class ActRefused extends RefusedError {
  readonly reason: string;
  constructor(reason: string, message: string) {
    super(422, `${reason}: ${message}`);
    this.name = 'ActRefused';
    this.reason = reason;
  }
}

/**
 * Does an act, by sending the message that says so to the intake.
 * @param isTrial does nothing, and returns the same row, but for the id of the act
 * @throws ActRefused
 */
export async function doAct(parts: MendingParts, wanted: WantedAct, isTrial: boolean): Promise<DoneRow> {
  const message = {
    kind: 'identity',
    source: OPERATOR,
    at: formatTime(parts.now()),
    ...wanted,
    ...(wanted.what === undefined && wanted.source_ref ? { what: await subjectOf(parts, wanted.source_ref) } : {}),
  };
  const item = { line: 1, value: message };
  const tried = await parts.preview(item);
  if (tried.outcome.status === 'rejected') throw new ActRefused(tried.outcome.code, tried.outcome.message);
  const acted = tried.events.find(({ type }) => type === 'IdentityActed');
  const { log, identities } = parts;
  // Another process may have acted.
  await readReplacements(log);
  const targets = { store: documentsFromLog(log), replacements: log.replacements };
  if (!acted) {
    const row = knownRow(message);
    return { ...row, ...(await actTargets(targets, row.what, row.into, null)) };
  }
  const before = await readActs(log);
  const { content, moved } = acted.data as DomainEventData['IdentityActed'];
  const act = { act: before.records.length + 1, content };
  const first = firstActOf(before.state, content);
  const { what, into } = partsOf(first);
  const words = await actTargets(targets, what, into, fromOf(first));
  if (isTrial) {
    const numbered = numberedActs(before.state);
    const isUndone = content.action === 'undo' && rootMove(numbered, act) !== undefined;
    const records = isUndone ? await countMoved(log, numbered, act) : moved.records;
    return {
      ...toTrialRow(before, content, { ...moved, records }),
      ...words,
      ...(await tryChange({ log, identities }, numbered, act)),
    };
  }
  const views = await viewEvents(log, rootMove(numberedActs(before.state), act));
  const [outcome] = (await parts.intake.accept([item])).outcomes;
  if (outcome!.status === 'rejected') throw new ActRefused(outcome!.code, outcome!.message);
  const acts = await readActs(log);
  const index = acts.records.findLastIndex(({ at, content }) => at === message.at && content.action === wanted.action);
  if (index === -1) return knownRow(message);
  await readReplacements(log);
  const done = { act: index + 1, content: acts.records[index]!.content };
  const changed = changesOf(views, await viewEvents(log, rootMove(numberedActs(acts.state), done)));
  return { ...doneRow(toActRow(acts, index + 1)), ...words, ...changed };
}

/** It is so already, so nothing had to be done. */
function knownRow({ action, what, source_ref, from: merged, into, id, name, waiting, act }: WantedAct): DoneRow {
  const from = source_ref ? `${source_ref.source}:${source_ref.ref}` : (merged ?? name ?? waiting ?? String(act));
  return { act: null, action, what: what ?? null, from, into: into ?? id ?? null, moved: { records: 0, refs: 0 } };
}

const doneRow = ({ act, action, what, from, into, side, moved }: DoneRow): DoneRow => ({
  act,
  action,
  what,
  from,
  into,
  ...(side ? { side } : {}),
  moved,
});

/** What a ref is of, by what waits for it; an event where nothing waits. */
async function subjectOf(
  { identities }: MendingParts,
  { source, ref }: { readonly source: string; readonly ref: string },
): Promise<IdentitySubject> {
  for (const kind of ['team', 'player'] as const) {
    for (const sport of SPORT_SLUGS) {
      const key = formatIdentityKey(toRefKey(kind, sport, source, ref));
      if (await identities.findWaitingGroup(`${source} ${key}`)) return kind;
    }
  }
  return 'event';
}
