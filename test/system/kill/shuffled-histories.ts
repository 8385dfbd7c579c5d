import { seeded } from './generated-feed.ts';

type Message = Record<string, unknown>;
const BEGIN = Date.UTC(2026, 8, 10, 18);
const HOUR = 3_600_000;
const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
const about = { sport: 'nfl', league: 'nfl' };

/**
 * What several sources tell of so many games, each game with teams and players of its own, all of it shuffled: most
 * messages come before what they name. Nothing hangs on the order; of each game one injured player stays unknown.
 */
export function shuffledHistories(seed: number, games: number): Message[] {
  const random = seeded(seed);
  const messages = Array.from({ length: games }, (_, n) => tellOf(n, random)).flat();
  const placed = messages.map((message) => ({ message, place: random() }));
  return placed.sort((a, b) => a.place - b.place).map(({ message }) => message);
}

function tellOf(n: number, random: () => number): Message[] {
  const start = BEGIN + n * HOUR;
  const at = (hours: number) => iso(start + hours * HOUR);
  const sides = ['Home', 'Away'].map((side) => ({
    side: side.toLowerCase(),
    name: `${side} ${n}`,
    ref: `${side}${n}`,
  }));
  const match = { ...about, starts_at: at(1), home: sides[0]!.name, away: sides[1]!.name };
  const messages: Message[] = [];
  for (const source of ['alpha', 'beta']) {
    const schedule = { kind: 'schedule', source, ...about, ref: `${source}-${n}` };
    const participants = sides.map(({ side, name, ref }) => ({
      role: side,
      name,
      ...(random() < 0.5 ? { ref: `${source}-${ref}` } : {}),
    }));
    messages.push({ ...schedule, at: at(-100), starts_at: at(0), participants });
    if (random() < 0.5) messages.push({ ...schedule, at: at(-50), starts_at: at(2), participants });
  }
  const names: Message[] = [
    { source: 'alpha', ref: `alpha-${n}` },
    { source: 'beta', ref: `beta-${n}` },
    { source: 'gamma', match },
    { source: 'delta', ref: `delta-${n}`, match },
  ];
  for (const [place, naming] of names.entries()) {
    for (let more = 0; more < 3; more++) {
      const scores = ['home', 'away'].map((role) => ({ role, score: String(Math.floor(random() * 40)) }));
      messages.push({ kind: 'score', ...naming, at: at(1 + place / 10 + more / 4), status: 'inprogress', scores });
      const outcomes = ['home', 'away'].map((outcome) => ({ outcome, price: 100 + Math.floor(random() * 200) }));
      const markets = [{ key: 'h2h', outcomes }];
      messages.push({ kind: 'odds', ...naming, at: at(-20 + place + more / 4), bookmaker: 'pinnacle', markets });
    }
  }
  for (const { name, ref } of sides) {
    const team = { ...about, source: 'alpha', ref: `alpha-${ref}`, name, abbreviation: ref };
    if (random() < 0.5) messages.push({ kind: 'team', at: at(-400), ...team });
    const injury = { kind: 'injury', source: 'gamma', ...about, team: name };
    for (const player of [`Known ${ref}`, `Unknown ${ref}`]) {
      for (const hours of [-30, -10]) {
        const status = random() < 0.5 ? 'out' : 'questionable';
        messages.push({ ...injury, at: at(hours - random()), player, status });
      }
    }
    const player = { kind: 'player', ...about, source: 'gamma', ref: `gamma-${ref}`, full_name: `Known ${ref}` };
    messages.push({ ...player, at: at(-300) });
  }
  return messages;
}
