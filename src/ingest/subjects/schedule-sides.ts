import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { ScheduleMessage, ScheduleParticipant } from '../../domain/feed/feed-messages.ts';
import { normalizeName, normalizePair } from '../../domain/primitives/name-normalization.ts';
import type { EventSide } from '../../domain/sports-events/sports-event.ts';
import { type IngestSession, identityKeyOf, type QuarantineCause, unclearName } from '../binding/ingest-session.ts';
import { ensureEntry, findUnclaimed } from './directory-entry.ts';
import { describePlayer } from './player-subject.ts';
import { describeTeam } from './team-subject.ts';

type SideNaming = Pick<ScheduleMessage, 'sport' | 'league' | 'source' | 'at'>;

/** A side whose directory entry was found, or will be created once both sides are clear. */
interface SidePlan {
  readonly participant: ScheduleParticipant;
  /** One entry for a team or a player, two for a pair, none for a placeholder. */
  readonly entries: readonly {
    readonly name: string;
    readonly ref?: string | undefined;
    readonly id: number | undefined;
  }[];
}

/**
 * The sides of a schedule, home or player_1 first. Creates missing entries of the directory. If several entries have
 * the name of a side, the message is quarantined and nothing is created.
 */
export async function resolveSides(
  session: IngestSession,
  message: ScheduleMessage,
): Promise<readonly [EventSide, EventSide] | QuarantineCause> {
  const { participants, sport } = message;
  const first = participants.find(({ role }) => role === 'home' || role === 'player_1')!;
  const second = participants.find((participant) => participant !== first)!;
  const plans: SidePlan[] = [];
  for (const participant of [first, second]) {
    const plan = await planSide(session, message, participant);
    if ('reason' in plan) return plan;
    plans.push(plan);
  }
  const [one, two] = plans as [SidePlan, SidePlan];
  return [await makeSide(session, message, one, sport), await makeSide(session, message, two, sport)];
}

async function planSide(
  session: IngestSession,
  naming: SideNaming,
  participant: ScheduleParticipant,
): Promise<SidePlan | QuarantineCause> {
  if (participant.placeholder) return { participant, entries: [] };
  const isPair =
    rulesOf(naming.sport).hasPairs && (participant.members !== undefined || participant.name.includes('/'));
  const wanted = participant.members ?? (isPair ? [] : [participant]);
  const entries: { name: string; ref?: string | undefined; id: number | undefined }[] = [];
  for (const { name, ref } of wanted) {
    const found = await findEntry(session, naming, name, ref);
    if (found !== undefined && typeof found !== 'number') return found;
    entries.push({ name, ref, id: found });
  }
  return { participant, entries };
}

async function findEntry(
  session: IngestSession,
  { sport, source }: SideNaming,
  name: string,
  ref: string | undefined,
): Promise<number | undefined | QuarantineCause> {
  const kind = rulesOf(sport).entry;
  const bound = ref === undefined ? undefined : await session.identities.findEntity(kind, sport, source, ref);
  if (bound !== undefined) return bound;
  const normalized = normalizeName(name);
  const ids =
    ref === undefined
      ? await session.identities.findByName(kind, sport, normalized)
      : await findUnclaimed(session, kind, sport, source, name);
  if (ids.length <= 1) return ids[0];
  return unclearName(kind, sport, name, ids, [identityKeyOf.name(kind, sport, normalized)]);
}

async function makeSide(session: IngestSession, naming: SideNaming, plan: SidePlan, sport: string): Promise<EventSide> {
  const { participant, entries } = plan;
  const { name, abbreviation = null, country_code = null, placeholder = false } = participant;
  const shown = { name, abbreviation, country_code };
  if (placeholder) return { key: `name:${normalizeName(name)}`, id: null, ...shown, placeholder };
  const single = participant.members === undefined && entries.length === 1;
  const refOf = ({ ref }: { ref?: string | undefined }) => (ref === undefined ? {} : { ref });
  const members: { id: number; ref?: string; name: string }[] = [];
  for (const entry of entries) {
    // Two members or two sides with the same new name are one entry: look again, it may have been created just now.
    const again = entry.id ?? (await findEntry(session, naming, entry.name, entry.ref));
    const id = await ensureEntry(
      session,
      rulesOf(sport).entry,
      sport,
      naming.source,
      entry.ref,
      typeof again === 'number' ? again : undefined,
    );
    await nameEntry(session, naming, id, single ? participant : { name: entry.name });
    members.push({ id, ...refOf(entry), name: entry.name });
  }
  if (single) {
    const { id } = members[0]!;
    return { key: `${rulesOf(sport).entry}:${id}`, id, ...refOf(participant), ...shown, placeholder };
  }
  const label = participant.members ? participant.members.map((member) => member.name).join('/') : name;
  return { key: `pair:${normalizePair(label)}`, id: null, ...refOf(participant), ...shown, placeholder, members };
}

/** Names the side in the directory. It creates the entry if this schedule is the first to name it. */
async function nameEntry(
  session: IngestSession,
  { sport, league, source, at }: SideNaming,
  id: number,
  { name, abbreviation, country_code }: Pick<ScheduleParticipant, 'name' | 'abbreviation' | 'country_code'>,
): Promise<void> {
  const country = country_code === undefined ? {} : { country_code };
  if (rulesOf(sport).entry === 'player') {
    const content = { rank: 'named' as const, league, facts: { full_name: name, ...country } };
    await describePlayer(session, { id, sport, at, source, content });
  } else {
    const facts = { name, ...(abbreviation === undefined ? {} : { abbreviation }), ...country };
    await describeTeam(session, { id, sport, at, source, content: { rank: 'named', league, facts } });
  }
}
