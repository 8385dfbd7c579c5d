/** Numbers between 0 and 1 that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Message = Record<string, unknown>;
const BEGIN = Date.UTC(2025, 0, 6, 18);
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
const TEAMS = 16;
const EVENTS = 120;

/**
 * A feed of every kind: directories, schedules of two sources, odds of several books with ladders and withdrawals,
 * splits, live scores with late and corrected ones, statistics, lineups, injuries; messages that arrive before what
 * they name, some that never find it, and repeated ones. The order of lines is a little shuffled.
 */
export function generatedFeed(seed: number): string[] {
  const random = seeded(seed);
  const whole = (below: number): number => Math.floor(random() * below);
  const source = { source: 'test' };
  const league = { sport: 'nba', league: 'nba' };
  const price = (): number => (random() < 0.5 ? -1 : 1) * (100 + whole(200));
  const messages: Message[] = [];

  for (let n = 0; n < TEAMS; n++) {
    const team = { ...source, ...league, ref: `t${n}`, name: `City ${n} Team`, abbreviation: `C${n}` };
    messages.push({ kind: 'team', at: iso(BEGIN - 30 * DAY), ...team, aliases: [`Team ${n}`] });
    if (n % 4 === 0)
      messages.push({ kind: 'team', at: iso(BEGIN), ...team, city: `City ${n}`, venue: { name: `Hall ${n}` } });
    for (let p = 0; p < 5; p++) {
      const player = { ...source, ...league, ref: `p${n}-${p}`, full_name: `Player ${n} ${p}`, team_ref: `t${n}` };
      messages.push({ kind: 'player', at: iso(BEGIN - 20 * DAY), ...player, position: 'G' });
    }
  }
  for (let n = 0; n < EVENTS; n++) {
    const tennis = n % 5 === 4;
    const start = BEGIN + n * 7 * 60 * MINUTE;
    const [first, second] = tennis
      ? [`Ace ${n}`, `Backhand ${n % 10}`]
      : [`t${n % TEAMS}`, `t${(n + 1 + (n % 3)) % TEAMS}`];
    const roles = tennis ? (['player_1', 'player_2'] as const) : (['home', 'away'] as const);
    const about = { ...source, ref: `e${n}` };
    const nameOf = (ref: string): string => (tennis ? ref : `City ${ref.slice(1)} Team`);
    const of = tennis ? { sport: 'tennis', league: 'atp' } : league;
    const participants = [first!, second!].map((ref, index) => ({ role: roles[index], ref, name: nameOf(ref) }));
    const schedule = { kind: 'schedule', ...about, ...of, participants };
    messages.push({ ...schedule, at: iso(start - 7 * DAY), starts_at: iso(start) });
    if (n % 6 === 0) messages.push({ ...schedule, at: iso(start - 3 * DAY), starts_at: iso(start + 30 * MINUTE) });
    const match = tennis
      ? { ...of, starts_at: iso(start), player_1: nameOf(first!), player_2: nameOf(second!) }
      : { ...of, starts_at: iso(start), home: nameOf(second!), away: nameOf(first!) };
    for (const bookmaker of ['pinnacle', 'bet365', 'fanduel']) {
      for (let moment = 4; moment > 0; moment--) {
        const at = iso(start - moment * 90 * MINUTE - whole(80) * MINUTE);
        const h2h = { key: 'h2h', outcomes: roles.map((outcome) => ({ outcome, price: price() })) };
        const point = 200 + whole(20);
        const total = ['over', 'under'].map((outcome) => ({ outcome, price: price(), point }));
        const totals = { key: 'totals', complete: random() < 0.5, outcomes: random() < 0.1 ? [] : total };
        // A second source names the event by its sides and start alone, or with a ref of its own.
        const naming = bookmaker === 'fanduel' ? { source: 'other', ref: `o${n}`, match } : about;
        messages.push({ kind: 'odds', ...naming, at, bookmaker, markets: [h2h, totals] });
      }
    }
    if (!tennis) {
      const home = whole(101);
      const side = (bets_pct: number) => ({ bets_pct, handle_pct: whole(101) });
      const markets = { moneyline: { home: side(home), away: side(100 - home) } };
      for (const hours of [5, 2])
        messages.push({ kind: 'splits', ...about, at: iso(start - hours * 60 * MINUTE), markets });
      const players = (team: string, role: string) => {
        return [0, 1].map((p) => ({ ref: `p${team.slice(1)}-${p}`, name: `Player ${team.slice(1)} ${p}`, role }));
      };
      const lineup = Object.fromEntries(
        roles.map((role, index) => [
          role,
          {
            players: players([first!, second!][index]!, role).map(({ role: _, ...who }) => ({ ...who, starter: true })),
          },
        ]),
      );
      messages.push({ kind: 'lineup', ...about, at: iso(start - 60 * MINUTE), teams: lineup });
      const scored = [...players(first!, 'home'), ...players(second!, 'away')].map((who) => ({
        ...who,
        stats: { points: whole(30) },
      }));
      messages.push({ kind: 'box', ...about, at: iso(start + 150 * MINUTE), final: true, players: scored });
      const hurt = `p${first!.slice(1)}-${whole(8)}`;
      const player = {
        player_ref: hurt,
        player: `Player ${hurt.slice(1).replace('-', ' ')}`,
        team_ref: first,
        team: nameOf(first!),
      };
      messages.push({
        kind: 'injury',
        ...source,
        ...league,
        ...player,
        at: iso(start - DAY),
        status: ['out', 'questionable'][n % 2],
      });
      if (n % 3 === 0) messages.push({ kind: 'injury', ...about, at: iso(start - 40 * MINUTE), checked: true });
    }
    let points = [0, 0];
    for (let minute = 1; minute <= 121; minute += 20) {
      points = points.map((value) => value + whole(9));
      const over = minute === 121;
      const status = over ? 'final' : 'inprogress';
      const scores = roles.map((role, index) => ({ role, score: String(points[index]) }));
      const period = tennis ? `S${1 + Math.floor(minute / 60)}` : String(1 + Math.floor(minute / 31));
      messages.push({ kind: 'score', ...about, at: iso(start + minute * MINUTE), status, period, scores });
    }
    if (n % 10 === 0) {
      const scores = roles.map((role, index) => ({ role, score: String(points[index]! + 1) }));
      messages.push({ kind: 'score', ...about, at: iso(start + DAY), status: 'final', scores });
    }
    if (n % 7 === 0)
      messages.push({
        kind: 'odds',
        source: 'test',
        ref: `unknown${n}`,
        at: iso(start),
        bookmaker: 'bwin',
        markets: [],
      });
  }
  const placed = messages.map((message, index) => ({ message, place: index + random() * 60 }));
  const shuffled = placed.sort((a, b) => a.place - b.place).map(({ message }) => JSON.stringify(message));
  return shuffled.flatMap((line) => (random() < 0.03 ? [line, line] : [line]));
}
