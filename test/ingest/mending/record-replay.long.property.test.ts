import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IdentityAct, type MessageNaming, planOf } from '../../../src/domain/identities/identity-plan.ts';
import { cases } from '../../support/cases.ts';
import { EVENTS, history, NOW, order, type WorldEvent } from '../../system/properties/world.ts';
import type { Message } from '../feed-messages.ts';
import { openForcedIntake } from './forced-intake.ts';
import { readLog, replayLog, saidOf } from './replayed-log.ts';
import { apart, gameOf, inOrder, MINUTE } from './two-events.ts';

/** What a person does to a game: that its two events are one, or what a source means by its ref. */
type Deed = { readonly what: 'merge' | 'split' | 'undo'; readonly event: number; readonly which: number };
const deeds = fc.array(
  fc.record({
    what: fc.constantFrom('merge' as const, 'merge' as const, 'split' as const, 'undo' as const),
    event: fc.nat({ max: EVENTS.length - 1 }),
    which: fc.nat({ max: 5 }),
  }),
  { maxLength: 10, size: 'max' },
);
/** Ids of events that are split off. */
const NEW_IDS = 5000;

/** @param eventOf the id of a game as a source has it */
const actsOf = (done: readonly Deed[], eventOf: (game: WorldEvent, source: string) => number): IdentityAct[] =>
  done.map(({ what, event, which }, index): IdentityAct => {
    const id = `${index}`;
    const game = EVENTS[event]!;
    const [alpha, beta] = [eventOf(game, 'alpha'), eventOf(game, 'beta')];
    if (what === 'undo' && index > 0) return { id, action: 'undo', act: `${which % index}` };
    if (what !== 'split') {
      const [from, into] = which % 2 === 0 ? [alpha, beta] : [beta, alpha];
      return { id, action: 'merge', from, into };
    }
    const source = ['alpha', 'beta', 'delta'][which % 3]!;
    const into = which < 3 && source !== 'delta' ? NEW_IDS + index : source === 'beta' ? alpha : beta;
    return { id, action: 'split', sourceRef: { source, ref: `${source}-${game.ref}` }, into };
  });

describe('telling again', () => {
  it('given any acts, when all is told again, then each event is as if its messages had been told of it at first', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        order,
        fc.record({ isBetaFirst: fc.boolean(), isApart: fc.boolean() }),
        deeds,
        async (messages, arrival, { isBetaFirst, isApart }, done) => {
          let clock = NOW;
          const wrong = await openForcedIntake(() => clock);
          const right = await openForcedIntake(() => clock);
          try {
            const told: { message: Message; game: WorldEvent | undefined; home: number; at: number }[] = [];
            const homes = new Map<string, number>();
            for (const [index, said] of inOrder(messages, arrival, isBetaFirst).entries()) {
              clock += MINUTE;
              const message = isApart ? apart(said, index) : said;
              const status = await wrong.tell(message);
              expect(status).not.toBe('quarantined');
              const game = gameOf(message);
              const isOfBeta = message['source'] === 'beta' || (isApart && message !== said);
              const as = `${game?.ref}|${isOfBeta ? 'beta' : 'alpha'}`;
              if (message['kind'] === 'schedule' && !homes.has(as)) {
                const { source, ref } = message as { source: string; ref: string };
                homes.set(as, (await wrong.identities.findEvent(source, ref))!.id);
              }
              if (status !== 'rejected') told.push({ message, game, home: homes.get(as) ?? 0, at: clock });
            }

            const eventOf = ({ ref }: WorldEvent, source: string) =>
              homes.get(`${ref}|${source}`) ?? homes.get(`${ref}|alpha`)!;
            const plan = planOf(actsOf(done, eventOf));
            const ownerOf = (told: MessageNaming) => 1000 + plan.ownerOf(told);

            // Whether the first schedule of an event has the sides as `beta` has them.
            const firsts = new Map<number, boolean>();
            const withoutSchedule = new Set<number>();
            for (const { message, game, home, at } of told) {
              clock = at;
              if (!game) {
                await right.tell(message);
                continue;
              }
              const { source, ref } = message as { source: string; ref?: string };
              // `epsilon` has only the refs that `alpha` says are the same as its own.
              const sourceRef = ref && { source, ref: ref.replace('epsilon', 'alpha') };
              if (source === 'epsilon') Object.assign(sourceRef!, { source: 'alpha' });
              const id = ownerOf(sourceRef ? { home, sourceRef } : { home });
              if (message['kind'] === 'schedule' && !firsts.has(id)) firsts.set(id, source === 'beta');
              const first = firsts.get(id);
              if (first === undefined) withoutSchedule.add(id);
              else {
                const swapped = game.turned && (source === 'beta' || source === 'delta') !== first;
                await right.tell(message, { id, swapped });
              }
            }

            const again = await replayLog(await readLog(wrong.log), ownerOf);
            expect(new Set(again.waiting.keys())).toEqual(withoutSchedule);
            for (const id of firsts.keys()) expect(await saidOf(id, again.log)).toEqual(await saidOf(id, right.log));
          } finally {
            await wrong.close();
            await right.close();
          }
        },
      ),
      { numRuns: cases(60), endOnFailure: true },
    );
  }, 300_000);
});
