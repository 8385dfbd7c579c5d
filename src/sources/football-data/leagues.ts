import { namesAt } from '../../domain/catalogue/added-leagues.ts';
import { findLeague, type League, seasonYear } from '../../domain/catalogue/catalogue.ts';

const DIVISIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(namesAt('football_data').map(([division, league]) => [division, league])),
  E0: 'epl',
  SP1: 'la_liga',
  D1: 'bundesliga',
  I1: 'serie_a',
  F1: 'ligue_1',
};

/** Words of a file name, joined by `_`, and their league. */
const FILE_WORDS: readonly (readonly [words: string, league: string])[] = [
  ...Object.entries(DIVISIONS).map(([division, league]) => [division.toLowerCase(), league] as const),
  ...Object.values(DIVISIONS).map((league) => [league, league] as const),
  ['mls', 'mls'],
  ['usa', 'mls'],
  ['ucl', 'ucl'],
  ['champions_league', 'ucl'],
];

/** Leagues without cup matches: every match is of the regular season and ends after 90 minutes. */
const LEAGUE_PLAY = new Set(Object.values(DIVISIONS));
export const isLeaguePlay = (league: League): boolean => LEAGUE_PLAY.has(league.slug);

export const leagueOfDivision = (division: string): League | undefined =>
  Object.hasOwn(DIVISIONS, division) ? findLeague(DIVISIONS[division]!) : undefined;

/** The league of a file without league columns, such as `E0_2425.csv` or `ucl.csv.gz`; undefined unless exactly one
 *  fits. */
export function leagueOfFileName(path: string): League | undefined {
  const name = path.split(/[\\/]/).at(-1)!.toLowerCase();
  const words = `_${name.split(/[^a-z0-9]+/).join('_')}_`;
  const found = new Set(FILE_WORDS.filter(([word]) => words.includes(`_${word}_`)).map(([, league]) => league));
  return found.size === 1 ? findLeague([...found][0]!) : undefined;
}

/** The year in which the season of a row starts: from `0910`, `2021` (2020/21), `2020/2021`, `2020-21` or `2020`, or
 *  else from the start. The date alone is wrong for 2019/20, which was played until August. */
export function seasonOfRow(league: League, cell: string, startsAt: number): number {
  const spelled = /^(\d\d)?(\d\d)[/_-]?(?:\d\d)?(\d\d)$/.exec(cell);
  if (spelled) {
    const [, century, first, second] = spelled;
    if ((+first! + 1) % 100 === +second!) return +(century ?? (+first! < 70 ? '20' : '19')) * 100 + +first!;
  }
  return /^\d{4}$/.test(cell) && +cell >= 1900 && +cell < 2100 ? +cell : seasonYear(league, startsAt);
}
