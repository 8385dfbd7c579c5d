import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLeagueViews, type LeagueViews } from '../../../src/sources/connectors/league-views.ts';
import { type Composed, composed } from '../../support/composed.ts';

const NOW = Date.parse('2026-03-01T20:00:00Z');
const schedule = (ref: string, starts_at: string, league = 'nba', more: object = {}) => ({
  kind: 'schedule',
  source: 'espn',
  at: '2026-02-25T00:00:00Z',
  sport: league,
  league,
  ref,
  starts_at,
  participants: [
    { role: 'home', name: `Home ${ref}`, ref: `h${ref}` },
    { role: 'away', name: `Away ${ref}`, ref: `a${ref}` },
  ],
  ...more,
});
const score = (ref: string, status: string, at = '2026-03-01T19:00:00Z') => ({
  kind: 'score',
  source: 'espn',
  at,
  ref,
  status,
});

let server: Composed;
let views: LeagueViews;
let changes = 0;
beforeEach(async () => {
  server = await composed({ time: NOW });
  await server.core.runner.start();
  changes = 0;
  views = createLeagueViews({
    store: server.ports.store,
    identities: server.ports.identities,
    changes: server.core.runner.documentChanges,
    leagues: ['nba', 'nhl'],
    sources: ['espn', 'other'],
    now: () => server.clock.time,
    onChange: () => changes++,
  });
});
afterEach(async () => {
  views.close();
  await server.close();
});

const feed = async (...messages: object[]) => {
  await server.core.intake.accept(messages.map((value, line) => ({ line, value })));
  await server.core.projected();
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};
const refs = (source = 'espn') =>
  views.viewsFor(source).map(({ league, state, events }) => [league, state, events.map(({ ref }) => ref).sort()]);

it('given what the log knew before, shows what is near, with each source its own ids', async () => {
  await feed(
    schedule('1', '2026-03-01T23:00:00Z'),
    schedule('2', '2026-03-12T23:00:00Z'),
    schedule('3', '2026-02-20T23:00:00Z'),
    schedule('4', '2026-02-20T12:00:00Z', 'nhl'),
    score('4', 'inprogress', '2026-02-20T13:00:00Z'),
    schedule('5', '2026-03-01T23:00:00Z', 'nfl'),
  );
  await views.refresh();
  expect(refs()).toEqual([
    ['nba', 'soon', ['1']],
    ['nhl', 'live', ['4']],
  ]);
  expect(refs('other')).toEqual([
    ['nba', 'soon', [undefined]],
    ['nhl', 'live', [undefined]],
  ]);
});

it('given what is told meanwhile, shows it at once, and tells that something has changed', async () => {
  await views.refresh();
  const before = changes;
  await feed(schedule('1', '2026-03-01T18:00:00Z'));
  expect(refs()[0]).toEqual(['nba', 'live', ['1']]);
  expect(changes).toBeGreaterThan(before);
  await feed(score('1', 'final'));
  const [event] = views.viewsFor('espn')[0]!.events;
  expect(event).toMatchObject({ status: 'final', overSince: NOW });
  expect(refs()[0]).toEqual(['nba', 'idle', ['1']]);
});

it('given that another source names an event later, its id is shown then', async () => {
  await feed(schedule('1', '2026-03-01T23:00:00Z'));
  await views.refresh();
  await feed(
    schedule('x9', '2026-03-01T23:00:00Z', 'nba', {
      source: 'other',
      participants: [
        { role: 'home', name: 'Home 1' },
        { role: 'away', name: 'Away 1' },
      ],
    }),
  );
  expect(refs('other')[0]).toEqual(['nba', 'soon', ['x9']]);
});

it('given teams of the directory, shows the source its own ids of them', async () => {
  const team = (ref: string, source: string) => ({
    kind: 'team',
    source,
    at: '2026-02-25T00:00:00Z',
    sport: 'nba',
    league: 'nba',
    ref,
    name: `Team ${ref}`,
    abbreviation: `T${ref}`,
  });
  await feed(team('17', 'espn'), team('18', 'espn'), team('z', 'other'));
  await views.refresh();
  expect([views.viewsFor('espn')[0]!.teamRefs, views.viewsFor('other')[0]!.teamRefs]).toEqual([['17', '18'], ['z']]);
});
