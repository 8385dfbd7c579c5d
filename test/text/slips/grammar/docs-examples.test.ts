import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLeague } from '../../../../src/domain/catalogue/catalogue.ts';
import { type Message, player, schedule, score, team } from '../../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../../api/spec/server.ts';
import { rulesSections, wordsTable } from './slips-page.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/slips.md');
const page = readFileSync(PAGE, 'utf8');

describe.each([
  ['words', wordsTable],
  ['rules', rulesSections],
] as const)('the %s of docs/slips.md', (part, made) => {
  it('equal those of the code (UPDATE_SLIPS=1 writes them)', () => {
    const between = new RegExp(`(<!-- ${part} -->\n)[^]*(\n<!-- end of ${part} -->)`);
    const text = readFileSync(PAGE, 'utf8');
    const wanted = text.replace(between, (_, begin, end) => `${begin}\n${made()}\n${end}`);
    if (process.env['UPDATE_SLIPS']) writeFileSync(PAGE, wanted);
    else expect(text).toBe(wanted);
  });
});

/** The rows of the tables under `Examples`, one list per table. */
function tables(): string[][][] {
  const section = page.slice(page.indexOf('## Examples\n')).split('\n## ')[0]!;
  const found = section
    .trim()
    .split('\n\n')
    .filter((block) => block.startsWith('| '));
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return found.map((block) => block.split('\n').slice(2).map(cellsOf));
}

const [events = [], players = [], texts = []] = tables();
const said = (cell: string): string => cell.replace(/^`|`$/g, '');

describe('the examples of docs/slips.md', () => {
  let server: SpecServer;
  const numbers = new Map<number, string>();
  beforeAll(async () => {
    server = await startServer({ now: '2026-03-01T12:00:00Z' });
    await server.feed(...messages());
    for (const [number] of events) numbers.set(await server.eventId('feed', number!), number!);
  });
  afterAll(() => server.close());

  it('are many', () => {
    expect(texts.length).toBeGreaterThan(30);
    expect(page).toContain('At 2026-03-01T12:00:00Z');
  });

  it.each(texts.map(([text, event, leg, result]) => ({ text: said(text!), event, leg: said(leg!), result })))(
    '$text',
    async ({ text, event, leg, result }) => {
      const { body } = await server.post('/v1/grade/slip', { text });
      expect(body.legs).toHaveLength(1);
      const { market, message, ...graded } = body.legs[0];
      const { event_id, market_key, side, line } = market;
      const told = [market_key, side, line].filter((part) => part !== null).join(' ');
      const shown = /^half_/.test(graded.result_detail) ? graded.result_detail : (graded.result ?? message);
      if (event !== '') expect([numbers.get(event_id), told, shown]).toEqual([event, leg, result]);
      else expect([event_id, graded.result, message]).toEqual([null, null, result]);
    },
  );
});

/** The events of the page with teams, players, scores and boxes. */
function messages(): Message[] {
  const teams = new Map<string, Message>();
  const more: Message[] = [];
  for (const [ref, slug, home, away, starts, timezone, result] of events) {
    const { sport } = findLeague(slug!)!;
    const league = { sport, league: slug! };
    const isTennis = sport === 'tennis';
    for (const name of [home!, away!]) {
      if (isTennis) more.push(player(sport, name, name));
      else teams.set(name, team(league, name, name, abbreviationOf(name)));
    }
    const sides = [home!, away!].map((name) => ({ name, ref: name })) as [object, object];
    const venue = timezone === '' ? {} : { venue: { name: `Arena of ${home}`, timezone } };
    more.push(schedule(league, ref!, sides as never, starts!, venue));
    if (result === '') continue;
    const [own, other] = result!.split('-');
    // A soccer score shows that the match had no extra time.
    more.push(score(ref!, 'final', [own!, other!], { sport, result_type: 'regulation' }));
    const rows = players.flatMap(([name, of, , made]) =>
      made === '' || (of !== home && of !== away)
        ? []
        : [{ ref: name, name, role: of === home ? 'home' : 'away', stats: statsOf(made!) }],
    );
    more.push({ kind: 'box', source: 'feed', at: '2026-03-01T11:30:00Z', ref: ref!, final: true, players: rows });
  }
  const named = players.map(([name, of, position]) =>
    player((teams.get(of!) as { sport?: string }).sport!, name!, name!, { team_ref: of, position }),
  );
  return [...teams.values(), ...named, ...more];
}

const abbreviationOf = (name: string): string =>
  ({ 'Los Angeles Lakers': 'LAL', 'Boston Celtics': 'BOS', 'Kansas City Chiefs': 'KC' })[name] ??
  name
    .replace(/[^A-Za-z]/g, '')
    .slice(0, 12)
    .toUpperCase();

const statsOf = (made: string): Record<string, number> =>
  Object.fromEntries(
    made.split(', ').map((one) => {
      const [stat, value] = one.split(' ');
      return [stat, Number(value)];
    }),
  );
