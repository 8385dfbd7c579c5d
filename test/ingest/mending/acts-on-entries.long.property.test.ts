import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReplayed } from '../../../src/domain/event-sourcing/record.ts';
import { entryRef, planOf } from '../../../src/domain/identities/identity-plan.ts';
import { identityActsOf } from '../../../src/domain/identities/stream-replacements.ts';
import { normalizeName } from '../../../src/domain/primitives/name-normalization.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { RefHomes } from '../../../src/ingest/mending/ref-homes.ts';
import { cases } from '../../support/cases.ts';
import type { Message } from '../feed-messages.ts';
import { type EntryRef, type ForcedIntake, type OneEntry, openForcedIntake, tellAndDie } from './forced-intake.ts';
import { readLog } from './replayed-log.ts';
import {
  EVENT_REFS,
  entryOfRef,
  INTRODUCTIONS,
  NOW,
  namesAlone,
  PLAYERS,
  TEAMS,
  telling,
  twins,
  type WorldEntry,
} from './two-spellings.ts';

const MINUTE = 60_000;
const deed = fc.record({
  what: fc.constantFrom(
    'team' as const,
    'team' as const,
    'player' as const,
    'event' as const,
    'split' as const,
    'split' as const,
    'split' as const,
    'undo' as const,
    'undo' as const,
  ),
  a: fc.nat({ max: 8 }),
  b: fc.nat({ max: 8 }),
  dies: fc.option(fc.nat({ max: 10 }), { freq: 3 }),
});
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;
const steps = fc.array(
  fc.oneof({ weight: 7, arbitrary: telling }, { weight: 1, arbitrary: twins }, { weight: 2, arbitrary: deed }),
  { maxLength: 40, size: 'max' },
);
const isDeed = (step: Message | Deed): step is Deed => 'dies' in step;

const ENTRIES = [...TEAMS, ...PLAYERS];
const MERGED = { team: TEAMS.slice(0, 3), player: PLAYERS.slice(0, 2) };
const SPLIT = ENTRIES.filter(({ ref }) => ref !== 'b' && ref !== 'p3');
const NBA = 'nba';

/** The entry that a ref is at home with. */
const homeOf = async ({ identities }: ForcedIntake, { kind, source, ref }: WorldEntry): Promise<number> =>
  (await identities.findEntity(kind, NBA, source, ref))!;
const plansOf = ({ log }: ForcedIntake) => ({
  team: log.replacements.planAt('team'),
  player: log.replacements.planAt('player'),
});
/** The entry that a ref means. */
const idOf = async (world: ForcedIntake, entry: WorldEntry): Promise<number> =>
  plansOf(world)[entry.kind].ownerOf({ home: await homeOf(world, entry), sourceRef: entryRef(NBA, entry) });
/** The entries that a name alone means. */
const idsOfName = async (world: ForcedIntake, kind: 'team' | 'player', name: string): Promise<readonly number[]> =>
  plansOf(world)[kind].ownersOfName(await world.identities.findByName(kind, NBA, name), name);

async function messageOf({ what, a, b }: Deed, world: ForcedIntake, acts: number): Promise<Message | undefined> {
  if (what === 'undo') return acts === 0 ? undefined : { action: 'undo', act: 1 + (a % acts) };
  if (what === 'event') {
    // Often those that one source tells of.
    const refs = (a < 6 ? [0, 3] : [a, b]).map((index) => EVENT_REFS[index % EVENT_REFS.length]!);
    const [from, into] = await Promise.all(refs.map(({ source, ref }) => world.identities.findEvent(source, ref)));
    return from && into ? { action: 'merge', what, from: from.id, into: into.id } : undefined;
  }
  if (what === 'split') {
    const entry = SPLIT[a % SPLIT.length]!;
    const { kind, source, ref } = entry;
    const others = SPLIT.filter((one) => one.kind === kind);
    const into = b < 5 ? {} : { into: await idOf(world, others[b % others.length]!) };
    return { action: 'split', what: kind, source_ref: { source, ref }, ...into };
  }
  const all = MERGED[what];
  const [from, into] = [all[a % all.length]!, all[b % all.length]!];
  return { action: 'merge', what, from: await homeOf(world, from), into: await homeOf(world, into) };
}

/** Whether a name alone means two entries since a split, so that the message would wait. */
async function isUnclear(world: ForcedIntake, message: Message): Promise<boolean> {
  for (const name of namesAlone(message)) {
    if ((await idsOfName(world, 'team', normalizeName(name))).length > 1) return true;
  }
  return false;
}

/** What the present streams say, with the names of entries in the place of their ids. */
async function saidBy(world: ForcedIntake, names: ReadonlyMap<string, string>, events: ReadonlyMap<number, number>) {
  const said: Record<string, unknown[]> = {};
  const records = await readLog(world.log);
  const streams = new Set(records.map(({ stream }) => stream).filter((stream) => !stream.includes('~')));
  for (const record of records) streams.add(record.stream.split('~')[0]!);
  const rename = (kind: string, id: number) => names.get(`${kind}:${id}`) ?? `${kind}:${id}`;
  for (const plain of streams) {
    const [kind, id] = plain.split('-') as [string, string];
    if (kind === 'identity' || kind === 'season') continue;
    const own =
      kind === 'injuries'
        ? `injuries of ${rename('team', Number(id))}`
        : kind === 'event'
          ? `event ${events.get(Number(id)) ?? id}`
          : rename(kind, Number(id));
    const found = (await world.log.readStream(world.log.replacements.current(plain))) as readonly DomainRecord[];
    const told = found
      .filter(({ type }) => !type.endsWith('Restated'))
      .map(({ type, data }) => ({
        type,
        ...JSON.parse(JSON.stringify(data), function (this: unknown, key: string, value: unknown) {
          if (key === 'eventId' || key === 'of') return undefined;
          if (key === 'teamId' || key === 'team_id') return rename('team', value as number);
          if (key === 'playerId') return rename('player', value as number);
          // The second player of one name in a team.
          if (key === 'player' && /^p\d+$/.test(String(value))) return rename('player', Number(String(value).slice(1)));
          if (key === 'key' || key === 'side')
            return rename(
              ...((value as string).split(':').map((part, index) => (index ? Number(part) : part)) as [string, number]),
            );
          if (key === 'id' && typeof value === 'number') return undefined;
          return value;
        }),
      }));
    if (told.length === 0) continue;
    said[own] = told.filter(({ type }) => type !== 'InjuredPlayerIdentified');
    // When it became known who a name is depends on other reports; what counts is who it is, and from when on.
    for (const one of told as readonly Record<string, unknown>[]) {
      if (one['type'] !== 'InjuredPlayerIdentified') continue;
      const identified = `${own}: ${one['player']}`;
      const [known] = (said[identified] ?? []) as Record<string, unknown>[];
      const at = known && Date.parse(String(known['at'])) < Date.parse(String(one['at'])) ? known['at'] : one['at'];
      said[identified] = [{ playerId: one['playerId'], at }];
    }
  }
  return said;
}

/** What each ref and each name means now: every entry goes by the first of its refs. */
async function meaningsIn(world: ForcedIntake) {
  const refs = new Map<string, EntryRef>();
  const names = new Map<string, string>();
  for (const entry of ENTRIES) {
    const id = `${entry.kind}:${await idOf(world, entry)}`;
    if (!refs.has(id)) refs.set(id, [entry.source, entry.ref]);
  }
  const byRef = new Map<WorldEntry, EntryRef>();
  const byName = new Map<string, EntryRef | string>();
  for (const entry of ENTRIES) {
    byRef.set(entry, refs.get(`${entry.kind}:${await idOf(world, entry)}`)!);
    const name = normalizeName(entry.name);
    const [id] = await idsOfName(world, entry.kind, name);
    const owner = `${entry.kind}:${id}`;
    if (!refs.has(owner) && !names.has(owner)) names.set(owner, `${entry.kind} ${name}`);
    byName.set(`${entry.kind} ${name}`, refs.get(owner) ?? names.get(owner)!);
  }
  const unreferenced = new Map<string, number>();
  const canonical: OneEntry = {
    unreferenced,
    isAlone: (message, name) => namesAlone(message).some((alone) => normalizeName(alone) === name),
    refOf: (kind, source, ref) => byRef.get(entryOfRef(kind, source, ref)!) ?? [source, ref],
    meantBy: (kind, name) => byName.get(`${kind} ${name}`),
  };
  for (const [id, ref] of refs) names.set(id, `${id.split(':')[0]} ${ref.join(' ')}`);
  return { names, canonical };
}

describe('acts on teams and players between messages', () => {
  it('given any acts and deaths, then each entry and each event is as if it had been told rightly at first', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        let clock = NOW;
        const now = () => clock;
        const wrong = await openForcedIntake(now);
        let right: ForcedIntake | undefined;
        try {
          const told: { message: Message; at: number }[] = [];
          let acts = 0;
          for (const [index, step] of [...INTRODUCTIONS, ...all.flat()].entries()) {
            clock += MINUTE;
            if (isDeed(step)) {
              const more = await messageOf(step, wrong, acts);
              if (!more) continue;
              const act = { kind: 'identity', source: 'operator', at: new Date(clock).toISOString(), ...more };
              if (step.dies === null) await wrong.intake.accept([{ line: 1, value: act }]);
              else await tellAndDie(wrong, act, step.dies);
            } else {
              if (await isUnclear(wrong, step)) continue;
              const status = await wrong.tell(step);
              if (index < INTRODUCTIONS.length) expect(status).toBe('accepted');
              if (status === 'quarantined') return;
              told.push({ message: step, at: clock });
            }
            const log = await readLog(wrong.log);
            acts = log.filter(({ type }) => type === 'IdentityActed').length;
          }

          const log = await readLog(wrong.log);
          const done = log.flatMap((record) => (record.type === 'IdentityActed' ? [record.data] : []));
          const { names, canonical } = await meaningsIn(wrong);
          right = await openForcedIntake(now, canonical);
          const plan = planOf(identityActsOf(done, 'event'));
          const homes = new RefHomes();
          for (const record of log)
            if ('eventId' in record.data && !isReplayed(record)) homes.note(record, record.data.eventId);
          const events = new Map<number, number>();
          for (const { message, at } of told) {
            clock = at;
            const { kind, source, ref } = message as Record<string, string>;
            if (kind !== 'schedule' && kind !== 'score') {
              await right.tell(message);
              continue;
            }
            const id = plan.ownerOf(homes.namingOf(0, { source: source!, ref: ref! }));
            events.set(1000 + id, id);
            await right.tell(message, { id: 1000 + id, swapped: false });
          }
          const rightNames = new Map<string, string>();
          for (const { kind, source, ref } of ENTRIES) {
            const [ofSource, rep] = canonical.refOf(kind, source, ref);
            const id = await right.identities.findEntity(kind, NBA, ofSource, rep);
            rightNames.set(`${kind}:${id}`, `${kind} ${ofSource} ${rep}`);
          }
          for (const [named, id] of canonical.unreferenced) rightNames.set(`${named.split(' ')[0]}:${id}`, named);
          expect(await saidBy(wrong, names, new Map())).toEqual(await saidBy(right, rightNames, events));
        } finally {
          await wrong.close();
          await right?.close();
        }
      }),
      { numRuns: cases(60), endOnFailure: true },
    );
  }, 300_000);
});
