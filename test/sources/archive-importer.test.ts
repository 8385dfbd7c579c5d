import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/domain/primitives/time.ts';
import { archived, importArchives, importerOf, linesOf } from './archived-answers.ts';
import { event, scoreboard, status } from './espn/espn-answers.ts';
import { importJson } from './import-json.ts';
import { NOW } from './read-live-answers.ts';

const BOARD = 'https://site.api.espn.com/apis/site/v2/sports/football/nfl/scoreboard?dates=20261123&limit=500';
const LIVE = status('IN_PROGRESS', 'in', { period: 2 });
const board = (home: string, id = '1') => {
  const given = event(LIVE, { id, home: { score: home } });
  return scoreboard('nfl', { ...given, id });
};
const scoresOf = (messages: readonly Record<string, any>[]) =>
  messages
    .filter(({ kind }) => kind === 'score')
    .map(({ at, scores }) => [at, scores.find(({ role }: any) => role === 'home').score]);
const file = (...answers: object[]) => ({ name: 'espn/2026-11-23/18.ndjson', content: linesOf(answers) });

describe('an archive of live answers', () => {
  it('gives the messages of every answer as of its arrival less its age', async () => {
    const answers = [
      archived(NOW, BOARD, board('3')),
      archived(NOW + MINUTE, BOARD, board('7'), { headers: { age: '10', etag: '"a"' } }),
    ];

    const { messages, notes } = await importArchives('espn', [file(...answers)]);

    expect(scoresOf(messages)).toEqual([
      ['2026-11-23T18:00:00Z', '3'],
      ['2026-11-23T18:00:50Z', '7'],
    ]);
    expect(notes).toEqual([]);
  });

  it('is known by its name, or by how it begins where it has none', async () => {
    const { content } = file(archived(NOW, BOARD, board('3')));

    for (const name of ['18.ndjson', '18.ndjson.gz', 'standard input']) {
      expect(scoresOf((await importArchives('espn', [{ name, content }])).messages)).toHaveLength(1);
    }
  });

  it('is read past answers that failed, and without the line that was being written', async () => {
    const answers = [
      archived(NOW, BOARD, null, { status: null }),
      archived(NOW, BOARD, 'overloaded', { status: 503 }),
      archived(NOW, BOARD, board('5'), { status: 500 }),
      archived(NOW + MINUTE, BOARD, board('7')),
    ];
    const torn = JSON.stringify(archived(NOW + 2 * MINUTE, BOARD, board('9')));

    for (const length of [torn.length - 1, 40, 1]) {
      const content = file(...answers).content + torn.slice(0, length);
      const { messages, notes } = await importArchives('espn', [{ name: '18.ndjson', content }]);

      expect(scoresOf(messages)).toEqual([['2026-11-23T18:01:00Z', '7']]);
      expect(notes).toEqual([]);
    }
    const whole = await importArchives('espn', [{ name: '18.ndjson', content: file(...answers).content + torn }]);
    expect(scoresOf(whole.messages)).toHaveLength(2);
  });

  it.each([
    ['not_an_answer', 'no_answer', '{"a":1}\n'],
    ['no JSON', 'no_answer', 'what\n'],
    ['a body that is cut off', 'broken_answer', linesOf([archived(NOW, BOARD, '{"events": [')])],
    ['a body of no known shape', 'unknown_answer', linesOf([archived(NOW, BOARD, { code: 404 })])],
    ['an answer to what is never asked', 'unknown_answer', linesOf([archived(NOW, 'https://a.test/b', board('1'))])],
  ])('with %s is read past it, with a note', async (_, code, line) => {
    const content = linesOf([archived(NOW, BOARD, board('3'))]) + line + linesOf([archived(NOW, BOARD, board('4'))]);

    const { messages, codes } = await importArchives('espn', [{ name: '18.ndjson', content }]);

    expect(scoresOf(messages).map(([, score]) => score)).toEqual(['3', '4']);
    expect(codes).toEqual([code]);
  });

  it('leaves out what a cache answered after something newer', async () => {
    const modified = (minutes: number) => ({ 'last-modified': new Date(NOW + minutes * MINUTE).toUTCString() });
    const other = `${BOARD}&groups=80`;
    const answers = [
      archived(NOW + MINUTE, BOARD, board('7'), { headers: modified(1) }),
      archived(NOW + 2 * MINUTE, BOARD, board('3'), { headers: modified(0) }),
      archived(NOW + 2 * MINUTE, other, board('3', '2'), { headers: modified(0) }),
      archived(NOW + 3 * MINUTE, BOARD, board('9'), { headers: modified(1) }),
    ];

    const { messages, codes } = await importArchives('espn', [file(...answers)]);

    expect(scoresOf(messages).map(([, score]) => score)).toEqual(['7', '3', '9']);
    expect(codes).toEqual(['stale_answer']);
  });

  it('stands on the archives before it of the same command', async () => {
    const url = 'https://proxy.test/toa/v4/sports/basketball_nba/odds?apiKey=***&markets=h2h&oddsFormat=american';
    const answer = (price: number) => {
      const outcomes = [
        { name: 'Hawks', price },
        { name: 'Owls', price: 130 },
      ];
      const updated = new Date(NOW - MINUTE).toISOString();
      const book = { key: 'fanduel', last_update: updated, markets: [{ key: 'h2h', outcomes }] };
      const sides = { home_team: 'Hawks', away_team: 'Owls', bookmakers: [book] };
      return [{ id: 'e1', sport_key: 'basketball_nba', commence_time: new Date(NOW + HOUR).toISOString(), ...sides }];
    };
    const hours = [
      { name: '18.ndjson', content: linesOf([archived(NOW, url, answer(-150))]) },
      { name: '19.ndjson', content: linesOf([archived(NOW + HOUR, url, answer(-160))]) },
    ];

    const { messages } = await importArchives('the-odds-api', hours);

    const odds = messages.filter(({ kind }) => kind === 'odds').map(({ at }) => at);
    expect(odds).toEqual(['2026-11-23T17:59:00Z', '2026-11-23T19:00:00Z']);
  });

  it('that is empty gives nothing, and a file that is none is refused', async () => {
    const empty = await importArchives('espn', [{ name: '18.ndjson', content: '' }]);

    expect(empty).toEqual({ messages: [], notes: [], codes: [] });
    await expect(importArchives('espn', [{ name: 'other.ndjson', content: 'what' }])).rejects.toMatchObject({
      code: 'unknown_file_shape',
    });
  });
});

it("leaves the provider's own files as they were", async () => {
  const given = board('7');

  const { of } = await importJson(importerOf('espn'), given, { at: '2026-11-23T18:00:00Z' });

  expect(of('team')).toHaveLength(2);
  expect(of('score')).toMatchObject([{ at: '2026-11-23T18:00:00Z' }]);
});
