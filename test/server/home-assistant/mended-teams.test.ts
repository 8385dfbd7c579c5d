import { afterEach, describe, expect, it } from 'vitest';
import { gameOf, type Home, scoreOf, serveHome } from './home-with-broker.ts';

/** One source names the club one way and tells no game of it; another one names it otherwise, with a game. */
const NAMED = {
  kind: 'team',
  ...{ source: 'a', at: '2026-02-01T00:00:00Z', ref: 'a-atm', sport: 'soccer', league: 'la_liga' },
  ...{ name: 'Atletico Madrid', abbreviation: 'ATM' },
};
const GAME = gameOf('b', 'Club Atletico de Madrid', 'Getafe');
const OTHERS = [
  { role: 'home', name: 'Atletico Madrid', ref: 'a-other' },
  { role: 'away', name: 'Sevilla', ref: 'a-sevilla' },
];
const LATER = { starts_at: '2026-03-02T12:00:00Z' };

let home: Home;
afterEach(() => home.close());

const idsOf = async () => ({
  from: await home.teamId('soccer', 'atletico madrid'),
  into: await home.teamId('soccer', 'club atletico de madrid'),
});

/** The followed team is merged into the one with the game. */
async function merged(): Promise<{ readonly from: number; readonly into: number }> {
  home = await serveHome('soccer:atletico madrid');
  await home.feed(NAMED, GAME);
  const { from, into } = await idsOf();
  await expect.poll(() => home.announced()).toEqual([String(from)]);
  await home.act({ action: 'merge', what: 'team', from, into });
  return { from, into };
}

describe('a favourite team that a person mends', () => {
  it('given a merge into another, then it is followed under that one at once, on its own topics', async () => {
    const { from, into } = await merged();
    await expect.poll(() => home.state(from)?.opponent).toBe('Getafe');
    await home.feed(scoreOf('b', -5, 'inprogress', '0-0'));
    await home.feed(scoreOf('b', -4, 'inprogress', '1-0'));
    await expect.poll(() => home.happened(from)).toEqual(['game_start 0-0', 'score_change 1-0']);
    await expect.poll(() => home.state(from)).toMatchObject({ state: 'inprogress', score: '1-0' });
    expect(home.announced()).toEqual([String(from)]);
    expect(home.published.filter(({ topic }) => topic.includes(`/${into}/`))).toEqual([]);
  });

  it('given a merge and a restart, then the device is the same, and what is known is no news', async () => {
    const { from } = await merged();
    await home.feed(scoreOf('b', -5, 'inprogress', '1-0'));
    await expect.poll(() => home.happened(from)).toHaveLength(2);
    home.warnings.splice(0);
    await home.restart();
    await expect.poll(() => home.state(from)).toMatchObject({ opponent: 'Getafe', score: '1-0' });
    await home.feed(scoreOf('b', -4, 'inprogress', '2-0'));
    await expect.poll(() => home.happened(from).slice(2)).toEqual(['score_change 2-0']);
    expect(home.announced()).toEqual([String(from)]);
    expect(home.warnings).toEqual([]);
  });

  it('given a merge that is undone, then it is the old team again, and once more with the undo undone', async () => {
    const { from } = await merged();
    await expect.poll(() => home.state(from)?.opponent).toBe('Getafe');
    await home.act({ action: 'undo', act: 1 });
    await expect.poll(() => home.state(from)?.opponent).toBeNull();
    await home.feed(scoreOf('b', -5, 'inprogress', '1-0'));
    await home.act({ action: 'undo', act: 2 });
    await expect.poll(() => home.state(from)).toMatchObject({ opponent: 'Getafe', score: '1-0' });
    await home.feed(scoreOf('b', -4, 'inprogress', '2-0'));
    await expect.poll(() => home.happened(from)).toEqual(['score_change 2-0']);
  });

  it('given the name moves with a ref that is split off, then the device follows the new team', async () => {
    home = await serveHome('soccer:Atletico B');
    await home.feed(gameOf('a', 'Atletico Madrid', 'Getafe'), gameOf('b', 'Atletico Madrid', 'Sevilla'));
    const { participants: _, kind: __, starts_at: ___, ...own } = gameOf('b', '', '');
    await home.feed({ ...own, kind: 'team', ref: 'b-home', name: 'Atletico B', abbreviation: 'ATB' });
    const id = await home.teamId('soccer', 'Atletico Madrid');
    await expect.poll(() => home.announced()).toEqual([String(id)]);
    await home.act({ action: 'split', what: 'team', source_ref: { source: 'b', ref: 'b-home' } });
    await expect.poll(() => home.state(id)?.opponent).toBe('Sevilla');
    await home.feed(scoreOf('a', -5, 'inprogress', '1-0'), scoreOf('b', -5, 'inprogress', '3-1'));
    await expect.poll(() => home.happened(id)).toEqual(['game_start 3-1', 'score_change 3-1']);
    await home.restart();
    await home.feed(scoreOf('b', -4, 'inprogress', '4-1'));
    await expect.poll(() => home.happened(id).slice(2)).toEqual(['score_change 4-1']);
    expect(home.announced()).toEqual([String(id)]);
  });

  it('given an alias that is undone, then its device is withdrawn', async () => {
    home = await serveHome('soccer:Los Colchoneros');
    await home.feed(NAMED, GAME);
    const { into } = await idsOf();
    await home.act({ action: 'alias', what: 'team', id: into, name: 'Los Colchoneros' });
    await expect.poll(() => home.announced()).toEqual([String(into)]);
    await expect.poll(() => home.state(into)?.opponent).toBe('Getafe');
    await home.act({ action: 'undo', act: 1 });
    await expect.poll(() => home.announced()).toEqual([]);
    expect(home.state(into)).toBeNull();
    expect(home.warnings.at(-1)).toMatch(/Los Colchoneros of soccer means no team any more, or several/);
    await home.feed(scoreOf('b', -4, 'inprogress', '2-0'));
    expect(home.happened(into)).toEqual([]);
  });

  it('given a name that comes to mean two teams, then nothing stays announced, also by an earlier start', async () => {
    home = await serveHome('soccer:Atletico Madrid');
    await home.feed(gameOf('a', 'Atletico Madrid', 'Getafe'));
    const id = await home.teamId('soccer', 'Atletico Madrid');
    await expect.poll(() => home.announced()).toEqual([String(id)]);
    await home.pause();
    // The same source has another club of that name, by its ref.
    await home.feed(gameOf('a', 'Atletico Madrid', 'Sevilla', { ref: 'a-2', participants: OTHERS, ...LATER }));
    await home.restart();
    expect(home.announced()).toEqual([]);
    expect(home.warnings.at(-1)).toMatch(/^MQTT_TEAMS: no team, or several, of soccer are known as Atletico Madrid/);
  });

  it('given two favourites that become one team, then both devices go on', async () => {
    home = await serveHome('soccer:Atletico Madrid', 'soccer:Club Atletico de Madrid');
    await home.feed(NAMED, GAME);
    const { from, into } = await idsOf();
    await home.act({ action: 'merge', what: 'team', from, into });
    await home.feed(scoreOf('b', -5, 'inprogress', '0-0'));
    await home.feed(scoreOf('b', -4, 'inprogress', '1-0'));
    for (const id of [from, into]) {
      await expect.poll(() => home.happened(id)).toEqual(['game_start 0-0', 'score_change 1-0']);
    }
    expect(home.announced().sort()).toEqual([from, into].map(String).sort());
  });

  it('given a game that is merged into another after it was told, then nothing is told twice', async () => {
    home = await serveHome('soccer:Getafe');
    await home.feed(gameOf('a', 'Atletico Madrid', 'Getafe', { ref: 'a-game' }));
    await home.feed(gameOf('b', 'Atletico Madrid', 'Getafe', { starts_at: '2026-03-02T12:00:00Z' }));
    const id = await home.teamId('soccer', 'getafe');
    await home.feed(scoreOf('a', -5, 'inprogress', '1-0'));
    await expect.poll(() => home.happened(id)).toEqual(['game_start 0-1', 'score_change 0-1']);
    const [from, into] = [await home.eventId('a', 'a-game'), await home.eventId('b', 'b-game')];
    expect(from).not.toBe(into);
    await home.act({ action: 'merge', what: 'event', from, into });
    await expect.poll(() => home.state(id)).toMatchObject({ event_id: into, score: '0-1' });
    await home.feed(scoreOf('a', -4, 'inprogress', '1-1'));
    await expect.poll(() => home.happened(id).slice(2)).toEqual(['score_change 1-1']);
  });
});
