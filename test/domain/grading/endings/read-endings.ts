import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Leg } from '../../../../src/domain/grading/leg.ts';
import { type BoxWithStatNames, withStatNames } from '../../../../src/domain/grading/player-stat.ts';
import { factsOf, legOf, type Story } from '../game-story.ts';

/**
 * The tables of endings: how games ended, and what slips on them come to by the rules of each house. The expectations were
 * written by a person from the rules in words, and no program made them.
 *
 * `column NAME = BOOKS` groups houses that settle this sport alike, `rule NAME: ...` says their rule in words. An
 * `ending` is a title and what happened: the scores of the periods (`x`: home did not bat), `OT`, `SO home`, `left
 * MINUTES` when it was given up, `cancelled`, `walkover`, `pitcher` (another one started), `late HOURS`, `through home`
 * (the other player retired), `suspended`. `Jones:hits=2,runs=1` is a row of the statistics, `Lee:` one without any,
 * `Smith:dnp` one of a player who did not play; `provisional` statistics are not final. Below it a slip a line, with a
 * result for each column or `all`: W won, L lost, P push, V void, w half won, l half lost, D the player did not play, N no
 * statistic, O open; of a parlay with decimal prices what 100 come back as.
 */
export interface Ending {
  readonly sport: string;
  readonly title: string;
  readonly story: Story;
  /** Whether the home side did not bat in the last inning. */
  readonly isHalfInning: boolean;
  readonly box: BoxWithStatNames | undefined;
  readonly slips: readonly Slip[];
}

interface Slip {
  readonly text: string;
  readonly legs: readonly SlipLeg[];
  /** By book: a letter, or an amount. */
  readonly expected: Readonly<Record<string, string>>;
}

interface SlipLeg {
  readonly leg: Leg;
  /** Of a prop. */
  readonly player?: string;
  readonly price: number | null;
}

const FOLDER = import.meta.dirname;

export const readEndings = (): Ending[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readTable(readFileSync(join(FOLDER, name), 'utf8')));

interface Column {
  readonly name: string;
  readonly books: readonly string[];
}

function readTable(text: string): Ending[] {
  let sports: string[] = [];
  const columns: Column[] = [];
  const rules = new Set<string>();
  const endings: { title: string; told: string; slips: Slip[] }[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [word, ...rest] = line.trim().split(' ');
    if (line.startsWith('sports ')) sports = rest;
    else if (line.startsWith('column ')) columns.push({ name: rest[0]!, books: rest.slice(2) });
    else if (line.startsWith('rule ')) rules.add(rest[0]!.replace(':', ''));
    else if (line.startsWith('ending ')) {
      const [title, told] = line.slice('ending '.length).split('|');
      endings.push({ title: title!.trim(), told: told!.trim(), slips: [] });
    } else if (word) endings.at(-1)!.slips.push(readSlip(line, columns));
  }
  const unruled = columns.filter(({ name }) => !rules.has(name));
  if (unruled.length > 0) throw new Error(`no rule in words: ${unruled.map(({ name }) => name)}`);
  return sports.flatMap((sport) =>
    endings.map(({ title, told, slips }) => ({
      ...{ sport, title, slips, story: storyOf(sport, told) },
      isHalfInning: /\bx-\d/.test(told),
      box: boxOf(told),
    })),
  );
}

function storyOf(sport: string, told: string): Story {
  const words = told.split(/\s+/);
  const after = (word: string): string | undefined =>
    words.includes(word) ? words[words.indexOf(word) + 1] : undefined;
  const pairOf = (score: string) => score.split('-').map((one) => (one === 'x' ? 0 : Number(one))) as [number, number];
  const overtime = after('OT');
  const isScore = (word: string, place: number) => /^[\dx]+-\d+$/.test(word) && words[place - 1] !== 'OT';
  const sideOf = (name: string): 0 | 1 => (name === 'home' ? 0 : 1);
  const [shootout, through] = [after('SO'), after('through')];
  const [left, late] = [after('left'), after('late')];
  const status = words.find((word) => ['cancelled', 'walkover', 'suspended'].includes(word));
  return {
    sport,
    periods: words.filter(isScore).map(pairOf),
    ...(overtime && { overtime: pairOf(overtime) }),
    ...(shootout && { shootout: sideOf(shootout) }),
    ...(through && { retiredFor: sideOf(through) }),
    ...(left && { minutesLeft: Number(left) }),
    ...(late && { hoursLate: Number(late) }),
    ...(status && { status: status as 'cancelled' }),
    ...(words.includes('pitcher') && { hasOtherPitcher: true }),
  };
}

/** The statistics of an ending; undefined: there are none. */
function boxOf(told: string): BoxWithStatNames | undefined {
  const rows = [...told.matchAll(/([A-Z]\w+):(\S*)/g)].map(([, name, said]) => ({
    ...{ ref: name!, name: name!, role: 'home' as const },
    ...(said === 'dnp' ? { dnp: true } : {}),
    stats:
      said === 'dnp' || said === ''
        ? {}
        : Object.fromEntries(said!.split(',').map((one) => [one.split('=')[0]!, Number(one.split('=')[1])])),
  }));
  if (rows.length === 0) return undefined;
  const final = !told.split(/\s+/).includes('provisional');
  const own = {
    at: '2026-03-01T18:30:00Z',
    final,
    newestFinal: final,
    playersSource: 's',
    teams: [null, null],
  } as const;
  return withStatNames({ ...own, players: rows });
}

function readSlip(line: string, columns: readonly Column[]): Slip {
  const [text, results] = line.split('|').map((part) => part.trim());
  const said = results!.split(/\s+/);
  const letters = said[0] === 'all' ? columns.map(() => said[1]!) : said;
  if (letters.length !== columns.length) throw new Error(`${columns.length} results are needed: ${line}`);
  const expected = Object.fromEntries(
    columns.flatMap(({ books }, place) => books.map((book) => [book, letters[place]!])),
  );
  const legs = text!
    .replace(/^parlay /, '')
    .split(' & ')
    .map((words) => {
      const [bet, price] = words.split(' @');
      return { ...readBet(bet!), price: price === undefined ? null : Number(price) };
    });
  return { text: text!, legs, expected };
}

function readBet(words: string): Omit<SlipLeg, 'price'> {
  const [kind, player, stat, side, line] = words.trim().split(/\s+/);
  if (kind !== 'prop') return { leg: readLeg(words) };
  return { leg: { ...legOf(stat!, side as Leg['side'], Number(line)), player_id: 1 }, player: player! };
}

function readLeg(words: string): Leg {
  const [, scope, bet] = /^(?:([12]H|[QP]\d|F5|S1) )?(.*)$/.exec(words)!;
  const [kind, ...said] = bet!.trim().split(/\s+/);
  const part = scope === undefined ? {} : { scope: scope as NonNullable<Leg['scope']> };
  const side = said[0] as Leg['side'];
  if (kind === 'ml') return legOf('h2h', side, null, part);
  if (kind === '3way') return legOf('h2h_3_way', side, null, part);
  if (kind === 'spread') return legOf('spreads', side, Number(said[1]), part);
  if (kind === 'total') return legOf('totals', side, Number(said[1]), part);
  if (kind !== 'tt') throw new Error(`no bet: ${words}`);
  const [team, over, line] = said;
  return legOf('team_total', over as Leg['side'], Number(line), { ...part, team_id: team === 'home' ? 1 : 2 });
}

/** The facts by which a leg of an ending is settled. */
export function endingFacts({ box, ...ending }: Ending, player?: string) {
  const row = box?.players.find(({ name }) => name === player);
  return { ...gameFacts(ending), prop: player === undefined ? undefined : { box, row, mayBeNamed: false } };
}

function gameFacts({ story, isHalfInning }: Omit<Ending, 'box'>): ReturnType<typeof factsOf> {
  const facts = factsOf(story);
  if (!isHalfInning) return facts;
  const [home, away] = facts.event.sides;
  const sides: typeof facts.event.sides = [{ ...home, period_scores: home.period_scores!.slice(0, -1) }, away];
  return { ...facts, event: { ...facts.event, sides } };
}
