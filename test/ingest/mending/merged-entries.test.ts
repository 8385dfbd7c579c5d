import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventSide } from '../../../src/domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import type { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import type { Message } from '../feed-messages.ts';
import { type ForcedIntake, openForcedIntake } from './forced-intake.ts';

const NOW = Date.parse('2026-09-01T00:00:00Z');
const ATP = { sport: 'tennis', league: 'atp' };
let clock = NOW;
let world: ForcedIntake;
beforeEach(async () => {
  clock = NOW;
  world = await openForcedIntake(() => (clock += 1000));
});
afterEach(() => world.close());

const at = () => new Date(clock).toISOString();
const tell = async (message: Message) => expect(await world.tell({ at: at(), ...message })).toBe('accepted');
async function act(members: Message, intake: FeedIntake = world.intake) {
  const { outcomes } = await intake.accept([
    { line: 1, value: { kind: 'identity', source: 'operator', at: at(), ...members } },
  ]);
  return outcomes[0];
}

const match = (ref: string, first: Message, second: Message): Message => ({
  ...ATP,
  ...{ kind: 'schedule', source: 'a', ref, starts_at: `2026-09-1${ref.at(-1)}T12:00:00Z` },
  participants: [
    { role: 'player_1', ...first },
    { role: 'player_2', ...second },
  ],
});
const pair = (...names: string[]): Message => ({ name: names.join('/'), members: names.map((name) => ({ name })) });

const playerId = async (name: string) => (await world.identities.findByName('player', 'tennis', name))[0]!;
async function sidesOf(ref: string, source = 'a'): Promise<readonly EventSide[]> {
  const { id } = (await world.identities.findEvent(source, ref))!;
  const stream = world.log.replacements.current(`event-${id}`);
  const records = (await world.log.readStream(stream)) as readonly DomainRecord[];
  const last = records.findLast(({ type }) => type === 'EventScheduled') as any;
  return last.data.content.sides;
}
const merge = (from: number, into: number) => act({ action: 'merge', what: 'player', from, into });

describe('a merged player', () => {
  it('is the other one in singles and as a member of pairs, until that is undone', async () => {
    await tell(match('m1', { name: 'R. Nadal' }, { name: 'Carlos Alcaraz' }));
    await tell(match('m2', pair('R. Nadal', 'Marc Lopez'), pair('Bob Bryan', 'Mike Bryan')));
    await tell(match('m3', { name: 'Rafael Nadal' }, { name: 'Casper Ruud' }));
    const [from, into] = [await playerId('rnadal'), await playerId('rafaelnadal')];
    const before = [await sidesOf('m1'), await sidesOf('m2'), await sidesOf('m3')];
    expect(await merge(from, into)).toMatchObject({ status: 'accepted' });

    expect((await sidesOf('m1'))[0]).toMatchObject({ id: into, key: `player:${into}`, name: 'R. Nadal' });
    expect((await sidesOf('m2'))[0]!.members![0]!.id).toBe(into);
    expect(await world.identities.eventsOfSide(`player:${from}`)).toEqual([]);
    await tell(match('m4', { name: 'R. Nadal' }, { name: 'Casper Ruud' }));
    expect((await sidesOf('m4'))[0]!.id).toBe(into);

    expect(await act({ action: 'undo', act: 1 })).toMatchObject({ status: 'accepted' });
    expect([await sidesOf('m1'), await sidesOf('m2'), await sidesOf('m3')]).toEqual(before);
    expect((await sidesOf('m4'))[0]!.id).toBe(from);
  });

  it('cannot be one with whom it has met, nor with its partner', async () => {
    await tell(match('m1', { name: 'R. Nadal' }, { name: 'Carlos Alcaraz' }));
    await tell(match('m2', pair('R. Nadal', 'Marc Lopez'), pair('Bob Bryan', 'Mike Bryan')));
    const nadal = await playerId('rnadal');
    for (const name of ['carlosalcaraz', 'marclopez', 'mikebryan']) {
      const refusal = { status: 'rejected', code: 'different_sides' };
      expect(await merge(nadal, await playerId(name))).toMatchObject(refusal);
    }
    expect(await merge(nadal, nadal)).toMatchObject({ code: 'same' });
    expect(await merge(nadal, 999)).toMatchObject({ code: 'not_found' });
  });

  it('cannot have the other one merged into it, nor is its merge undone below another act', async () => {
    await tell(match('m1', { name: 'R. Nadal' }, { name: 'Carlos Alcaraz' }));
    await tell(match('m3', { name: 'Rafael Nadal' }, { name: 'Casper Ruud' }));
    await tell(match('m5', { name: 'Rafa Nadal' }, { name: 'Bob Bryan' }));
    const [one, two, three] = [await playerId('rnadal'), await playerId('rafaelnadal'), await playerId('rafanadal')];
    expect(await merge(one, two)).toMatchObject({ status: 'accepted' });
    expect(await merge(one, two)).toMatchObject({ status: 'unchanged' });
    expect(await merge(two, one)).toMatchObject({ code: 'cycle' });
    expect(await merge(two, three)).toMatchObject({ status: 'accepted' });
    expect((await sidesOf('m1'))[0]!.id).toBe(three);
    expect(await act({ action: 'undo', act: 1 })).toMatchObject({ code: 'stands_on' });
  });
});

describe('a player whose ref was split off', () => {
  it('is another one in singles and as a member of pairs, until that is undone', async () => {
    await tell(match('m1', { name: 'J. Smith' }, { name: 'Carlos Alcaraz' }));
    await tell({ ...match('m2', { name: 'J. Smith', ref: 'js' }, { name: 'Casper Ruud' }), source: 'b' });
    const members = [{ name: 'J. Smith', ref: 'js' }, { name: 'Marc Lopez' }];
    const bryans = pair('Bob Bryan', 'Mike Bryan');
    await tell({ ...match('m3', { name: 'J. Smith/Marc Lopez', members }, bryans), source: 'b' });
    const from = await playerId('jsmith');
    const before = [await sidesOf('m1'), await sidesOf('m2', 'b'), await sidesOf('m3', 'b')];
    expect([before[0]![0]!.id, before[1]![0]!.id, before[2]![0]!.members![0]!.id]).toEqual([from, from, from]);
    const split = { action: 'split', what: 'player', source_ref: { source: 'b', ref: 'js' } };
    expect(await act(split)).toMatchObject({ status: 'accepted' });

    const [{ id: into }] = (await sidesOf('m2', 'b')) as [EventSide];
    expect(into).not.toBe(from);
    expect((await sidesOf('m1'))[0]!.id).toBe(from);
    expect((await sidesOf('m3', 'b'))[0]!.members![0]!.id).toBe(into);
    expect(await world.identities.eventsOfSide(`player:${into}`)).toHaveLength(1);
    await tell({ ...match('m4', { name: 'J. Smith', ref: 'js' }, { name: 'Casper Ruud' }), source: 'b' });
    expect((await sidesOf('m4', 'b'))[0]!.id).toBe(into);

    expect(await act({ action: 'undo', act: 1 })).toMatchObject({ status: 'accepted' });
    expect([await sidesOf('m1'), await sidesOf('m2', 'b'), await sidesOf('m3', 'b')]).toEqual(before);
    expect((await sidesOf('m4', 'b'))[0]!.id).toBe(from);
  });

  it('given another process that has not heard of it, then what that tells is decided again', async () => {
    await tell(match('m1', { name: 'J. Smith' }, { name: 'Carlos Alcaraz' }));
    await tell({ ...match('m2', { name: 'J. Smith', ref: 'js' }, { name: 'Casper Ruud' }), source: 'b' });
    const another = await world.openAnother();
    const split = { action: 'split', what: 'player', source_ref: { source: 'b', ref: 'js' } };
    expect(await act(split)).toMatchObject({ status: 'accepted' });
    const told = { ...match('m5', { name: 'J. Smith', ref: 'js' }, { name: 'Carlos Alcaraz' }), source: 'b' };
    const { outcomes } = await another.accept([{ line: 1, value: { at: at(), ...told } }]);
    expect(outcomes).toMatchObject([{ status: 'accepted' }]);
    await world.identities.reset();
    const [{ id: into }] = (await sidesOf('m2', 'b')) as [EventSide];
    expect((await sidesOf('m5', 'b'))[0]!.id).toBe(into);
  });
});

describe('what another process tells of an entry that was merged a moment ago', () => {
  it('is decided again, so that no event is left with an entry that is no more', async () => {
    await tell(match('m1', { name: 'R. Nadal' }, { name: 'Carlos Alcaraz' }));
    await tell(match('m3', { name: 'Rafael Nadal' }, { name: 'Casper Ruud' }));
    const [from, into] = [await playerId('rnadal'), await playerId('rafaelnadal')];
    const another = await world.openAnother();
    expect(await merge(from, into)).toMatchObject({ status: 'accepted' });
    const value = { at: at(), ...match('m6', { name: 'R. Nadal' }, { name: 'Casper Ruud' }) };
    const { outcomes } = await another.accept([{ line: 1, value }]);
    expect(outcomes).toMatchObject([{ status: 'accepted' }]);
    await world.identities.reset();
    expect((await sidesOf('m6'))[0]!.id).toBe(into);
  });
});
