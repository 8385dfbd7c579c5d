import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReplayed } from '../../../src/domain/event-sourcing/record.ts';
import { type IdentityAct, planOf } from '../../../src/domain/identities/identity-plan.ts';
import { sourceRefOf } from '../../../src/domain/identities/source-ref-of.ts';
import { identityActsOf } from '../../../src/domain/identities/stream-replacements.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { RefHomes } from '../../../src/ingest/mending/ref-homes.ts';
import { cases } from '../../support/cases.ts';
import { EVENTS, history, NOW, order, type WorldEvent } from '../../system/properties/world.ts';
import type { Message } from '../feed-messages.ts';
import { type ForcedIntake, openForcedIntake, tellAndDie } from './forced-intake.ts';
import { readLog, saidOf } from './replayed-log.ts';
import { apart, gameOf, inOrder, MINUTE } from './two-events.ts';

/** What a person does, after which message of the history, and whether the process dies in it. */
const deeds = fc.array(
  fc.record({
    after: fc.nat({ max: 150 }),
    what: fc.constantFrom('merge' as const, 'merge' as const, 'split' as const, 'undo' as const, 'undo' as const),
    event: fc.nat({ max: EVENTS.length - 1 }),
    which: fc.nat({ max: 5 }),
    dies: fc.option(fc.nat({ max: 12 }), { freq: 2 }),
  }),
  { maxLength: 12, size: 'max' },
);
type Deed = { readonly what: string; readonly event: number; readonly which: number };

async function messageOf(
  { what, event, which }: Deed,
  world: ForcedIntake,
  acts: number,
): Promise<Message | undefined> {
  const game = EVENTS[event]!;
  const idOf = async (source: string) => (await world.identities.findEvent(source, `${source}-${game.ref}`))?.id;
  const [alpha, beta] = [await idOf('alpha'), await idOf('beta')];
  if (what === 'undo') return acts === 0 ? undefined : { action: 'undo', act: 1 + (which % acts) };
  if (what === 'split') {
    const source = ['alpha', 'beta', 'delta'][which % 3]!;
    const into = which < 3 ? {} : { into: source === 'beta' ? alpha : beta };
    return { action: 'split', what: 'event', source_ref: { source, ref: `${source}-${game.ref}` }, ...into };
  }
  const [from, into] = which % 2 === 0 ? [alpha, beta] : [beta, alpha];
  return from === undefined || into === undefined ? undefined : { action: 'merge', what: 'event', from, into };
}

const actsOf = (records: readonly DomainRecord[]): readonly IdentityAct[] =>
  identityActsOf(
    records.flatMap((record) => (record.type === 'IdentityActed' ? [record.data] : [])),
    'event',
  );

describe('acts on identities between messages', () => {
  it('given any acts and deaths, then each event is as if its messages had been told of it at first', async () => {
    await fc.assert(
      fc.asyncProperty(history, order, fc.boolean(), deeds, async (messages, arrival, isBetaFirst, done) => {
        let clock = NOW;
        const now = () => clock;
        const wrong = await openForcedIntake(now);
        const right = await openForcedIntake(now);
        try {
          const told: {
            message: Message;
            game: WorldEvent | undefined;
            record: DomainRecord | undefined;
            at: number;
          }[] = [];
          let seen = 0;
          let acts = 0;
          for (const [index, said] of inOrder(messages, arrival, isBetaFirst).entries()) {
            clock += MINUTE;
            const message = apart(said, index);
            const status = await wrong.tell(message);
            // Since an act the start of its game may be too far away for a source that names no ref. What is released
            // later is told later: that is another history.
            if (status === 'quarantined') return;
            const records = (await readLog(wrong.log)).slice(seen);
            const record = records.find(({ data }) => 'eventId' in data);
            // What decides nothing is nowhere in the log. Under a ref it is known what it means.
            const isNamed = status === 'unchanged' && message['ref'] !== undefined;
            if (status === 'accepted' || isNamed) told.push({ message, game: gameOf(message), record, at: clock });
            for (const deed of done.filter(({ after }) => after === index)) {
              clock += MINUTE;
              const more = await messageOf(deed, wrong, acts);
              if (!more) continue;
              const act = { kind: 'identity', source: 'operator', at: new Date(clock - 30_000).toISOString(), ...more };
              if (deed.dies === null) await wrong.intake.accept([{ line: 1, value: act }]);
              else await tellAndDie(wrong, act, deed.dies);
            }
            const all = await readLog(wrong.log);
            seen = all.length;
            acts = all.filter(({ type }) => type === 'IdentityActed').length;
          }

          const plan = planOf(actsOf(await readLog(wrong.log)));
          const homes = new RefHomes();
          for (const record of await readLog(wrong.log)) {
            if ('eventId' in record.data && !isReplayed(record)) homes.note(record, record.data.eventId);
          }
          // Whether the first schedule of an event has the sides as `beta` has them.
          const firsts = new Map<number, boolean>();
          for (const { message, game, record, at } of told) {
            clock = at;
            const { source, ref } = message as { source: string; ref?: string };
            const recorded = record && 'eventId' in record.data ? record.data.eventId : undefined;
            const sourceRef = record ? sourceRefOf(record) : ref === undefined ? undefined : { source, ref };
            if (!game || (recorded === undefined && !sourceRef)) {
              await right.tell(message);
              continue;
            }
            const id = 1000 + plan.ownerOf(homes.namingOf(recorded ?? 0, sourceRef));
            if (message['kind'] === 'schedule' && !firsts.has(id)) firsts.set(id, source === 'beta');
            const first = firsts.get(id);
            if (first === undefined) continue;
            const swapped = game.turned && (source === 'beta' || source === 'delta') !== first;
            await right.tell(message, { id, swapped });
          }
          for (const id of firsts.keys()) {
            expect(await saidOf(id - 1000, wrong.log)).toEqual(await saidOf(id, right.log));
          }
        } finally {
          await wrong.close();
          await right.close();
        }
      }),
      { numRuns: cases(60), endOnFailure: true },
    );
  }, 300_000);
});
