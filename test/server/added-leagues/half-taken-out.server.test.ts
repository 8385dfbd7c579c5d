import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import type { AgentServer } from '../../api/agent/serving.ts';
import { type Message, market, type Outcome, odds, schedule, score } from '../../api/spec/messages.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { EXAMPLE_LEAGUES, serveWithLeagues } from './serve-with-leagues.ts';

const NOW = Date.parse('2026-08-10T12:00:00Z');
const slugs = Object.keys(EXAMPLE_LEAGUES).sort();
/** Every second one, so that leagues of one sport, and of a sport of their own, are among both. */
const out = slugs.filter((_, index) => index % 2 === 0);
const kept = slugs.filter((slug) => !out.includes(slug));

const sportOf = (slug: string): string => {
  const { sport } = EXAMPLE_LEAGUES[slug]!;
  return typeof sport === 'string' ? sport : sport.slug;
};
const isTour = (slug: string) => sportOf(slug) === 'tennis';

/** A game that is over, and one with prices. */
function messagesOf(slug: string): Message[] {
  const league = { sport: sportOf(slug), league: slug };
  const name = (side: string) => (isTour(slug) ? `Ada ${side}` : `${slug} ${side}`);
  const sides = [name('Harbour'), name('Mill')] as const;
  const told = { at: '2026-08-10T10:00:00Z', ...(isTour(slug) ? { competition: { name: 'Lugano Challenger' } } : {}) };
  const won = isTour(slug) ? { score: '2', sets: [6, 6] } : { score: '3' };
  const lost = isTour(slug) ? { score: '0', sets: [3, 4] } : { score: '1' };
  const [first, second] = isTour(slug) ? ['player_1', 'player_2'] : ['home', 'away'];
  const prices: Outcome[] = [
    [first!, -120],
    [second!, 110],
  ];
  return [
    schedule(league, `${slug}-past`, sides, '2026-08-09T15:00:00Z', told),
    score(`${slug}-past`, 'final', [won, lost] as any, { sport: league.sport, at: '2026-08-10T10:30:00Z' }),
    schedule(league, `${slug}-next`, sides, '2026-08-10T15:00:00Z', told),
    odds(`${slug}-next`, 'pinnacle', [market('h2h', prices)], { at: '2026-08-10T11:30:00Z' }),
  ];
}

describe('the ten example leagues, half of them taken out', () => {
  const folder = temporaryFolder();
  const serve = (leagues: AddedLeagues) =>
    serveWithLeagues(leagues, { time: NOW, file: folder.path('data'), livePage: true });
  const ids: Record<string, number> = {};
  const shown: Record<string, unknown> = {};
  const pathsOf = (slug: string) => [
    `/v1/events/${ids[`${slug}-past`]}`,
    `/v1/events/${ids[`${slug}-past`]}/stats`,
    `/v1/events/${ids[`${slug}-next`]}/odds`,
    ...(isTour(slug) ? [] : [`/v1/leagues/${slug}/standings?season=2026`]),
  ];
  let server: AgentServer;

  beforeAll(async () => {
    server = await serve(EXAMPLE_LEAGUES);
    await server.feed(...slugs.flatMap(messagesOf));
    for (const slug of slugs) {
      for (const ref of [`${slug}-past`, `${slug}-next`]) ids[ref] = await server.eventId('feed', ref);
      for (const path of pathsOf(slug)) shown[path] = await server.get(path);
    }
    await server.close();
    server = await serve(Object.fromEntries(kept.map((slug) => [slug, EXAMPLE_LEAGUES[slug]!])));
  });
  afterAll(() => server.close());

  it.each(out)('given %s, which is out, then nothing of it is found, and nothing new is taken', async (slug) => {
    for (const path of pathsOf(slug)) expect([path, (await server.ask(path)).status]).toEqual([path, 404]);
    expect((await server.get(`/v1/events?league=${slug}`)).events).toEqual([]);
    const [first] = messagesOf(slug);
    const { outcomes } = await server.take([{ ...first!, ref: `${slug}-new` }]);
    expect(outcomes).toMatchObject([{ status: 'rejected' }]);
  });

  it.each(kept)('given %s, which is kept, then its answers are as they were', async (slug) => {
    for (const path of pathsOf(slug)) expect([path, await server.get(path)]).toEqual([path, shown[path]]);
    const { events } = await server.get(`/v1/events?league=${slug}`);
    expect(events.map(({ id }: any) => id).sort()).toEqual([ids[`${slug}-past`], ids[`${slug}-next`]].sort());
  });
});
