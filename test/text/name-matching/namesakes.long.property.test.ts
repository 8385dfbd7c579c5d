import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../bench/event-history.ts';
import { generatedPlayers } from '../../../bench/generated-players.ts';
import type { PlayerNamesDocument } from '../../../projections/directory/player-names.ts';
import { runs } from '../../system/properties/runs.ts';
import { createResolvers, teamDocuments, teamIdsOf } from './directory-resolvers.ts';
import { PLAYER_SPELLINGS, TEAM_SPELLINGS } from './spellings.ts';

const MODES = ['strict', 'permissive'] as const;
const players = generatedPlayers(300, teamIdsOf);
const seed = fc.integer({ min: 0, max: 2 ** 31 });
const kindOf = (spellings: object) => fc.constantFrom(...Object.keys(spellings));

interface Answer {
  readonly status: string;
  readonly player_id?: number | null;
  readonly team_id?: number | null;
}

/** Resolved stays resolved or becomes ambiguous; ambiguous stays; instead of not found, only the namesake is found. */
function expectNoGuess(before: Answer, after: Answer, namesakeId: number) {
  const idOf = (answer: Answer) => answer.player_id ?? answer.team_id ?? null;
  if (before.status === 'ambiguous') expect(after.status).toBe('ambiguous');
  if (before.status === 'resolved' && after.status !== 'ambiguous') expect(after).toEqual(before);
  if (before.status === 'not_found') expect([null, namesakeId]).toContain(idOf(after));
}

describe('a namesake added to the directory', () => {
  it('can only turn a resolved player ambiguous', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(players.length - 1),
        kindOf(PLAYER_SPELLINGS),
        fc.constantFrom(...MODES),
        fc.constantFrom('none', 'sport', 'team_id'),
        fc.boolean(),
        seed,
        async (index, kind, mode, clue, isOfSport, drawn) => {
          const player = players[index]!;
          const query = PLAYER_SPELLINGS[kind]!(player.facts.full_name, seeded(drawn))?.trim();
          fc.pre(query !== undefined && query !== '');
          const clues =
            clue === 'none' ? {} : clue === 'sport' ? { sport: player.sport } : { team_id: player.facts.team_id };
          const namesake: PlayerNamesDocument = {
            ...player,
            id: players.length + 1,
            sport: isOfSport ? player.sport : 'curling',
          };
          const body = { query, clues, options: { mode, min_confidence: 0.85 } };
          const [without, withNamesake] = [
            await createResolvers(teamDocuments, players),
            await createResolvers(teamDocuments, [...players, namesake]),
          ];
          expectNoGuess(await without.player(body), await withNamesake.player(body), namesake.id);
          await Promise.all([without.close(), withNamesake.close()]);
        },
      ),
      runs(120),
    );
  });

  it('can only turn a resolved team ambiguous', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(teamDocuments.length - 1),
        kindOf(TEAM_SPELLINGS),
        fc.boolean(),
        seed,
        async (index, kind, hasClue, drawn) => {
          const team = teamDocuments[index]!;
          const query = TEAM_SPELLINGS[kind]!(team.facts.name, seeded(drawn))?.trim();
          fc.pre(query !== undefined && query !== '');
          const namesake = { ...team, id: teamDocuments.length + 1 };
          const body = { query, clues: hasClue ? { sport: team.sport } : {} };
          const [without, withNamesake] = [
            await createResolvers(teamDocuments, []),
            await createResolvers([...teamDocuments, namesake], []),
          ];
          expectNoGuess(await without.team(body), await withNamesake.team(body), namesake.id);
          await Promise.all([without.close(), withNamesake.close()]);
        },
      ),
      runs(120),
    );
  });
});

describe('case and accents', () => {
  const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  it('change no answer', async () => {
    const resolvers = await createResolvers(teamDocuments, players);
    const name = fc.oneof(
      fc.record({ index: fc.nat(players.length - 1), kind: kindOf(PLAYER_SPELLINGS), drawn: seed }).map((of) => {
        const { full_name } = players[of.index]!.facts;
        return PLAYER_SPELLINGS[of.kind]!(full_name, seeded(of.drawn)) ?? full_name;
      }),
      fc.nat(teamDocuments.length - 1).map((index) => teamDocuments[index]!.facts.name),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(name, fc.constantFrom(...MODES), async (query, mode) => {
        for (const other of [folded(query), query.toUpperCase(), query.normalize('NFD')]) {
          // Some letters have no single capital: ŉ has two.
          if (folded(other) !== folded(query)) continue;
          expect(await resolvers.team({ query: other })).toEqual(await resolvers.team({ query }));
          const options = { mode, min_confidence: 0.85 };
          expect(await resolvers.player({ query: other, options })).toEqual(await resolvers.player({ query, options }));
        }
      }),
      runs(1500),
    );
    await resolvers.close();
  });
});
