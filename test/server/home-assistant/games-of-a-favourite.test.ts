import { afterEach, describe, expect, it } from 'vitest';
import { gameOf, type Home, minute, scoreOf, serveHome } from './home-with-broker.ts';

const HOUR = 3_600_000;
const MLB = { sport: 'mlb', league: 'mlb' };
const cubs = (more: object = {}) => ({ ...gameOf('a', 'Chicago Cubs', 'Cincinnati Reds'), ...MLB, ...more });

let home: Home;
afterEach(() => home.close());

async function cubsId(): Promise<number> {
  const id = await home.teamId('mlb', 'Chicago Cubs');
  await expect.poll(() => home.announced()).toEqual([String(id)]);
  return id;
}

describe('a game that goes on long after its start', () => {
  it('given one that began 26 hours ago and is resumed, then its state shows until it is over', async () => {
    home = await serveHome('mlb:Chicago Cubs');
    await home.feed(cubs({ starts_at: minute(-26 * 60), at: minute(-30 * 60) }));
    await home.feed(cubs({ ref: 'a-next', starts_at: minute(240), game_number: 2 }));
    const id = await cubsId();
    await home.feed(scoreOf('a', -60, 'suspended', '1-1'));
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'suspended', score: '1-1' });
    await home.feed(scoreOf('a', -20, 'inprogress', '1-1'), scoreOf('a', -10, 'inprogress', '3-1'));
    await expect.poll(() => home.state(id)).toMatchObject({ score: '3-1', opponent: 'Cincinnati Reds' });
    await home.restart();
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'inprogress', score: '3-1' });
    await home.feed(scoreOf('a', -1, 'final', '3-1'));
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'final', score: '3-1' });
    await home.restart();
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'final', score: '3-1' });
    home.clock.time += 13 * HOUR;
    home.timers.advance(60_000);
    await expect.poll(() => home.state(id)?.state).toBe('scheduled');
  });

  it('given one that was suspended months ago, then it is found as well', async () => {
    home = await serveHome('mlb:Chicago Cubs');
    await home.feed(cubs({ starts_at: minute(-90 * 24 * 60), at: minute(-91 * 24 * 60) }));
    const id = await cubsId();
    await home.feed(scoreOf('a', -89 * 24 * 60, 'suspended', '1-1'), scoreOf('a', -20, 'inprogress', '2-1'));
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'inprogress', score: '2-1' });
    await home.restart();
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'inprogress', score: '2-1' });
    await home.feed(scoreOf('a', -1, 'final', '2-1'));
    await expect.poll(() => home.state(id)).toMatchObject({ state: 'final', score: '2-1' });
  });

  it('given one that no source has ended, then it does not hide the games after it', async () => {
    home = await serveHome('mlb:Chicago Cubs');
    await home.feed(cubs({ starts_at: minute(-48 * 60), at: minute(-50 * 60) }));
    await home.feed(cubs({ ref: 'a-next', starts_at: minute(60) }));
    const id = await cubsId();
    await home.feed(scoreOf('a', -47 * 60, 'inprogress', '1-1'));
    await expect.poll(() => home.state(id)?.state).toBe('scheduled');
  });
});

describe('the game that a favourite team shows', () => {
  it('given a game that ended, when half a day has passed without a message, then the next game is shown', async () => {
    home = await serveHome('mlb:Chicago Cubs');
    await home.feed(cubs({ starts_at: minute(-180) }), cubs({ ref: 'a-next', starts_at: minute(100 * 60) }));
    const id = await cubsId();
    await home.feed(scoreOf('a', -1, 'final', '3-1'));
    await expect.poll(() => home.state(id)?.state).toBe('final');
    home.clock.time += 10 * HOUR;
    home.timers.advance(60_000);
    await expect.poll(() => home.state(id)?.state).toBe('scheduled');
  });

  it('given an average of books beside a book, then the best price is that of the book', async () => {
    home = await serveHome('mlb:Chicago Cubs');
    await home.feed(cubs({ starts_at: minute(60) }));
    const id = await cubsId();
    const prices = (bookmaker: string, price: number) => ({
      ...{ kind: 'odds', source: 'a', ref: 'a-game', at: minute(-2), bookmaker },
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { outcome: 'home', price },
            { outcome: 'away', price: -150 },
          ],
        },
      ],
    });
    await home.feed(prices('consensus', 125), prices('pinnacle', 120));
    await expect.poll(() => home.state(id)?.odds).toBe(120);
  });
});

describe('the start of a game', () => {
  it('given a game that is first heard of while it is played, then it starts once, also after a restart', async () => {
    home = await serveHome('soccer:Getafe');
    const first = { ref: 'a-early', starts_at: minute(-3000), at: minute(-3100) };
    await home.feed(gameOf('a', 'Getafe', 'Sevilla', first), scoreOf('a', -2800, 'final', '2-2', 'a-early'));
    const id = await home.teamId('soccer', 'Getafe');
    await expect.poll(() => home.announced()).toEqual([String(id)]);
    await home.feed(gameOf('a', 'Getafe', 'Osasuna'), scoreOf('a', -5, 'inprogress', '1-0'));
    await expect.poll(() => home.happened(id)).toEqual(['game_start 1-0']);
    await home.restart();
    await home.feed(scoreOf('a', -4, 'inprogress', '1-1'));
    await expect.poll(() => home.happened(id)).toEqual(['game_start 1-0', 'score_change 1-1']);
  });

  it('given a game that is over when it is first heard of, or called off, then it has none', async () => {
    home = await serveHome('soccer:Getafe');
    await home.feed(gameOf('a', 'Getafe', 'Osasuna', { starts_at: minute(600) }));
    const id = await home.teamId('soccer', 'Getafe');
    await expect.poll(() => home.announced()).toEqual([String(id)]);
    await home.feed(
      gameOf('a', 'Getafe', 'Sevilla', { ref: 'a-over', starts_at: minute(-3000), at: minute(-3100) }),
      scoreOf('a', -2800, 'final', '2-2', 'a-over'),
    );
    const { scores: _, ...cancelled } = scoreOf('a', -1, 'cancelled', '0-0');
    await home.feed(cancelled);
    await expect.poll(() => home.state(id)?.event_id).toBeNull();
    expect(home.happened(id)).toEqual([]);
  });
});

describe('how soon a goal is on its topic', () => {
  // The specification allows two seconds. Time stands still here, so whatever waited for a timer would never come.
  it('given a goal, then it is published in the turn in which its game changes, and its state without a timer', async () => {
    home = await serveHome('soccer:Getafe');
    await home.feed(gameOf('a', 'Getafe', 'Osasuna'), scoreOf('a', -5, 'inprogress', '0-0'));
    const id = await home.teamId('soccer', 'Getafe');
    await expect.poll(() => home.state(id)?.score).toBe('0-0');
    const told: string[][] = [];
    home.core.runner.documentChanges.subscribe(({ projection }) => {
      if (projection === 'events') told.push(home.happened(id));
    });
    await home.feed(scoreOf('a', -4, 'inprogress', '1-0'));
    expect(told.at(-1)).toContain('score_change 1-0');
    await expect.poll(() => home.state(id)?.score).toBe('1-0');
  });
});
