import type { Message, Note } from '../importing.ts';

/** Prices by what they are of. */
export interface Priced {
  match: number;
  period: number;
  team_totals: number;
  props: number;
  /** What has no place in the feed contract. */
  none: number;
}

const nothing = (): Priced => ({ match: 0, period: 0, team_totals: 0, props: 0, none: 0 });

/** As the provider names them: not by what the importer knows. */
function kindOf(key: string): keyof Priced {
  const main = key.replace(/^alternate_|_alternate$/g, '');
  const scope = /_(h1|1st_5_innings|s1)$/;
  const whole = main.replace(scope, '');
  const isNone =
    /_(q[1-4]|h2|p[1-3]|s2|corners|cards|1st_[137]_innings?|lay)$/.test(main) ||
    /_3_way|^btts|draw_no_bet|double_chance|outrights/.test(main) ||
    /1st_td|last_td|first_|_first$|_last$|last_goal|double_double|triple_double/.test(main);
  if (isNone) return 'none';
  if (/^(player|batter|pitcher)_/.test(main)) return 'props';
  if (whole === 'team_totals') return main === whole ? 'team_totals' : 'period';
  if (/^(h2h|spreads|totals)$/.test(whole)) return main === whole ? 'match' : 'period';
  return 'none';
}

/** What an answer of The Odds API holds, of version 4 or 3: the prices of every market of every bookmaker. */
export function pricesGiven(events: readonly any[]): Priced {
  const given = nothing();
  for (const { bookmakers = [], sites = [] } of events) {
    for (const { markets } of bookmakers) {
      for (const { key, outcomes } of markets) given[kindOf(key)] += outcomes.length;
    }
    for (const { odds } of sites) {
      for (const [key, value] of Object.entries<any>(odds)) given[kindOf(key)] += (value.odds ?? value).length;
    }
  }
  return given;
}

/** The same of what an importer made of it. */
export function pricesTaken(messages: readonly Message[]): Priced {
  const taken = nothing();
  for (const { kind, markets } of messages) {
    for (const { key, scope = 'match', outcomes } of kind === 'odds' ? markets : []) {
      const main =
        key === 'team_totals' ? 'team_totals' : ['h2h', 'spreads', 'totals'].includes(key) ? 'match' : 'props';
      taken[scope === 'match' ? main : 'period'] += outcomes.length;
    }
  }
  return taken;
}

/** How often something was left out, by the note that says so. */
export function leftOut(notes: readonly Note[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of notes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
