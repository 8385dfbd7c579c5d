import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../../../bench/event-history.ts';
import { generatedPlayers } from '../../../bench/generated-players.ts';
import { searchNicknames } from '../../../src/domain/directory/naming/search-nicknames.ts';
import { cases } from '../../support/cases.ts';
import { createResolvers, type Resolvers, teamDocuments, teamIdsOf } from './directory-resolvers.ts';
import { lettersOf, PLAYER_SPELLINGS, type Spelling, TEAM_SPELLINGS, withoutSuffix } from './spellings.ts';

const players = generatedPlayers(5000, teamIdsOf);
let resolvers: Resolvers;
beforeAll(async () => {
  resolvers = await createResolvers(teamDocuments, players);
});
afterAll(() => resolvers.close());

interface Count {
  asked: number;
  resolved: number;
}

/** Resolves random spellings of names of a directory; counts the resolved ones by kind, and lists wrong ones. */
async function ask<Entry extends { readonly id: number }>(
  count: number,
  directory: readonly Entry[],
  spellings: Readonly<Record<string, Spelling>>,
  nameOf: (entry: Entry) => string,
  resolve: (entry: Entry, query: string, random: () => number) => Promise<{ id: number | null; names: string[] }>,
): Promise<{ wrong: string[]; counts: Record<string, Count> }> {
  const random = seeded(count);
  const kinds = Object.entries(spellings);
  const counts: Record<string, Count> = Object.fromEntries(kinds.map(([kind]) => [kind, { asked: 0, resolved: 0 }]));
  const wrong: string[] = [];
  for (let asked = 0; asked < count; ) {
    const entry = directory[Math.floor(random() * directory.length)]!;
    const [kind, spell] = kinds[Math.floor(random() * kinds.length)]!;
    const query = spell(nameOf(entry), random)?.trim();
    if (query === undefined || query === '') continue;
    asked++;
    const { id, names } = await resolve(entry, query, random);
    const of = counts[kind]!;
    of.asked++;
    if (id === entry.id) of.resolved++;
    // A spelling may be exactly the name of another player: then that one is right. With another suffix it is nobody's
    // name, and by the rule of suffixes it may mean a player without one.
    const said = kind === 'another suffix' ? withoutSuffix(query) : query;
    if (id !== null && id !== entry.id && !names.some((name) => lettersOf(name) === lettersOf(said))) {
      wrong.push(`${kind}: ${query}, made of ${nameOf(entry)}, is taken for ${names[0]}`);
    }
  }
  return { wrong, counts };
}

const recall = (counts: Readonly<Record<string, Count>>): string =>
  Object.entries(counts)
    .map(([kind, { asked, resolved }]) => `  ${kind}: ${resolved} of ${asked}, ${(resolved / asked).toFixed(3)}`)
    .join('\n');
const all = (counts: Readonly<Record<string, Count>>): number =>
  Object.values(counts).reduce((sum, { asked }) => sum + asked, 0);

describe('a name in any spelling is resolved correctly or not at all', () => {
  it.each(['strict', 'permissive'] as const)('players, %s', async (mode) => {
    const { wrong, counts } = await ask(
      cases(8000),
      players,
      PLAYER_SPELLINGS,
      ({ facts }) => facts.full_name,
      async ({ sport, facts }, query, random) => {
        const clues = random() < 0.5 ? {} : random() < 0.5 ? { sport } : { team_id: facts.team_id };
        const { player_id: id } = await resolvers.player({ query, clues, options: { mode } });
        return { id, names: id === null ? [] : [players[id - 1]!.facts.full_name] };
      },
    );
    console.log(
      `${mode}, of ${players.length} players, with half of the queries clues of sport or team:\n${recall(counts)}`,
    );
    expect(all(counts)).toBe(cases(8000));
    expect(wrong).toEqual([]);
    // A player without a namesake is found by his name.
    for (const kind of ['as written', 'case', 'accents', 'punctuation', 'reversed']) {
      expect(counts[kind]!.resolved / counts[kind]!.asked, kind).toBeGreaterThan(0.8);
    }
  });

  it('teams', async () => {
    const { wrong, counts } = await ask(
      cases(5000),
      teamDocuments,
      TEAM_SPELLINGS,
      ({ facts }) => facts.name,
      async ({ sport, league }, query, random) => {
        const clues = random() < 0.4 ? {} : random() < 0.5 ? { sport } : { league };
        const { team_id: id } = await resolvers.team({ query, clues });
        const found = id === null ? undefined : teamDocuments[id - 1]!;
        const { name, short_name, abbreviation } = found?.facts ?? {};
        const names = found ? [name, short_name, abbreviation, ...searchNicknames(found.sport, found.facts.name)] : [];
        return { id, names: names.filter((name) => name !== undefined) };
      },
    );
    console.log(`of ${teamDocuments.length} teams, with clues of sport or league for six in ten:\n${recall(counts)}`);
    expect(all(counts)).toBe(cases(5000));
    expect(wrong).toEqual([]);
    for (const kind of ['as written', 'case', 'accents', 'punctuation']) {
      expect(counts[kind]!.resolved / counts[kind]!.asked, kind).toBeGreaterThan(0.8);
    }
  });
});
