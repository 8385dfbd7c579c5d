import { capitalized } from './capitalized.ts';

/** Statistics whose names do not read as words. */
const WORDS: Readonly<Record<string, string>> = {
  points_rebounds_assists: 'Points + rebounds + assists',
  points_rebounds: 'Points + rebounds',
  points_assists: 'Points + assists',
  rebounds_assists: 'Rebounds + assists',
  blocks_steals: 'Blocks + steals',
  hits_runs_rbis: 'Hits + runs + RBIs',
  passing_rushing_yards: 'Passing + rushing yards',
  rushing_receiving_yards: 'Rushing + receiving yards',
  rushing_receiving_touchdowns: 'Rushing + receiving touchdowns',
  three_pointers_made: 'Three-pointers made',
  three_pointers_attempted: 'Three-pointers attempted',
  rbis: 'RBIs',
  outs_recorded: 'Outs recorded',
  pitching_strikeouts: 'Strikeouts thrown',
  possession_time_seconds: 'Possession, seconds',
};

/** `shots_on_target` becomes `Shots on target`; a share becomes `Possession %`. */
export function statisticWords(name: string): string {
  const known = WORDS[name];
  if (known !== undefined) return known;
  const words = name
    .replace(/_pct$/, ' %')
    .replace(/_rate$/, ' rate')
    .replaceAll('_', ' ');
  return capitalized(words);
}

/** `shots_for` becomes `Shots`; `shots_against` becomes `Shots, against`. */
export function rateWords(field: string): string {
  const against = field.endsWith('_against');
  const words = statisticWords(field.replace(/_(?:for|against)$/, ''));
  return against ? `${words}, against` : words;
}
