import type { Box, Contestant, Game, LineupSide, PeriodScore, Side } from './oracle/game.ts';

/** Feed messages of one source, as far as they make the plain list of games; see the feed contract. */
export type Message = Record<string, any> & { readonly kind: string; readonly at: string };

/** The server's ids of what the source names. */
export interface Ids {
  event(ref: string): number;
  team(ref: string): number | null;
  player(ref: string): number | null;
}

interface Draft {
  schedule?: Message;
  status: string;
  ended_at: string | null;
  result_type?: string;
  period?: string;
  sides: Record<Side, { score?: string; is_winner?: boolean; period_scores?: PeriodScore[] }>;
  box: { final?: boolean; teams: Partial<Record<Side, Record<string, number>>>; players: any[] } | null;
  lineup: Partial<Record<Side, LineupSide>>;
}

const SIDE_OF: Readonly<Record<string, Side>> = { home: 'home', away: 'away', player_1: 'home', player_2: 'away' };

/**
 * The games of which one source tells, as these messages leave them; pass those of up to a moment for what was known
 * then. "Within a subject the newest `at` decides", and what is absent stays.
 */
export function knownGames(messages: readonly Message[], ids: Ids): Game[] {
  const drafts = new Map<string, Draft>();
  const directory = new Map<string, Message>();
  const draftOf = (ref: string): Draft => {
    const known = drafts.get(ref);
    if (known) return known;
    const draft: Draft = { status: 'scheduled', ended_at: null, sides: { home: {}, away: {} }, box: null, lineup: {} };
    drafts.set(ref, draft);
    return draft;
  };
  for (const message of [...messages].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    if (message.kind === 'team' || message.kind === 'player') {
      const key = `${message.kind} ${message['ref']}`;
      directory.set(key, { ...directory.get(key), ...message });
    } else applyTo(draftOf(message['ref']), message);
  }
  return [...drafts].filter(([, { schedule }]) => schedule).map(([ref, draft]) => gameOf(ref, draft, directory, ids));
}

function applyTo(draft: Draft, message: Message): void {
  if (message.kind === 'schedule') {
    const moved = draft.schedule && draft.schedule['starts_at'] !== message['starts_at'];
    draft.schedule = { ...draft.schedule, ...message };
    // "A schedule that gives a postponed event a new start makes it scheduled"
    if (draft.status === 'postponed' && moved) draft.status = 'scheduled';
  } else if (message.kind === 'score') {
    draft.status = message['status'];
    if (draft.status === 'final') draft.ended_at ??= message.at;
    if (message['result_type']) draft.result_type = message['result_type'];
    if (message['period']) draft.period = message['period'];
    applyScores(draft, message['scores'] ?? []);
  } else if (message.kind === 'box') {
    // "its `players`, and each side's `teams` object, are replaced whole by the next one; absent ones stay"
    const before = draft.box ?? { teams: {}, players: [] };
    const teams = { ...before.teams };
    for (const [role, stats] of Object.entries(message['teams'] ?? {})) teams[SIDE_OF[role]!] = stats as never;
    draft.box = { final: message['final'] ?? before.final, teams, players: message['players'] ?? before.players };
  } else if (message.kind === 'lineup') draft.lineup = { ...draft.lineup, ...message['teams'] };
}

/** "What a source said of it belongs to the scores it came with; later scores without it decide anew" */
function applyScores(draft: Draft, scores: readonly any[]): void {
  const anew = scores.some((one) => one.score !== undefined || one.is_winner !== undefined);
  if (anew) for (const side of ['home', 'away'] as const) delete draft.sides[side].is_winner;
  for (const { role, ...said } of scores) Object.assign(draft.sides[SIDE_OF[role]!], said);
}

function gameOf(ref: string, draft: Draft, directory: ReadonlyMap<string, Message>, ids: Ids): Game {
  const schedule = draft.schedule!;
  const { sport, league, starts_at, participants } = schedule as any;
  const [home, away] = ['home', 'away'].map((side) => participants.find((one: any) => SIDE_OF[one.role] === side));
  const contestant = (one: any) => contestantOf(one, sport === 'tennis' ? 'player' : 'team', directory, ids);
  const { sides, lineup, ended_at, status } = draft;
  return {
    eventId: ids.event(ref),
    sport,
    league,
    starts_at,
    ended_at,
    status,
    lineup,
    season: schedule['season']?.year ?? seasonYear(sport, league, starts_at),
    phase: schedule['season']?.phase ?? null,
    home: contestant(home),
    away: contestant(away),
    scores: { home: sides.home.score ?? null, away: sides.away.score ?? null },
    period_scores: { home: sides.home.period_scores ?? [], away: sides.away.period_scores ?? [] },
    result_type: draft.result_type ?? playedBeyond(draft, sport),
    winner: winnerOf(draft, sport),
    neutral_site: schedule['neutral_site'] ?? false,
    surface: schedule['competition']?.surface ?? null,
    round: schedule['round'] ?? null,
    draw_type: schedule['draw_type'] ?? null,
    box: boxOf(draft, ids),
  };
}

function contestantOf(
  one: any,
  kind: 'team' | 'player',
  directory: ReadonlyMap<string, Message>,
  ids: Ids,
): Contestant {
  const facts: any = directory.get(`${kind} ${one.ref}`) ?? {};
  const isOne = !one.placeholder && one.members === undefined;
  return {
    id: isOne ? ids[kind](one.ref) : null,
    name: facts.name ?? facts.full_name ?? one.name,
    abbreviation: facts.abbreviation ?? one.abbreviation ?? null,
    country_code: facts.country_code ?? one.country_code ?? null,
    image_url: facts.image_url ?? null,
    fifa_rank: facts.fifa_rank ?? null,
    conference: facts.conference ?? null,
    ranking: facts.tennis_ranking ?? null,
    ranking_points: facts.tennis_ranking_points ?? null,
  };
}

/** "Seasons start in January for tennis, MLS and the World Cup, in February for MLB, July for European soccer, August
 *  for NFL and NCAAF, September for NBA and NHL, October for NCAAB" */
const FIRST_MONTH: Readonly<Record<string, number>> = {
  nfl: 8,
  ncaaf: 8,
  nba: 9,
  nhl: 9,
  ncaab: 10,
  mlb: 2,
  tennis: 1,
};
function seasonYear(sport: string, league: string, startsAt: string): number {
  const first = FIRST_MONTH[sport] ?? (['mls', 'fifa_world_cup'].includes(league) ? 1 : 7);
  const date = new Date(startsAt);
  return date.getUTCFullYear() - (date.getUTCMonth() + 1 < first ? 1 : 0);
}

/** "`overtime` from the periods played; MLB extra innings are `regulation`; null where the source does not tell" */
function playedBeyond({ sides, period }: Draft, sport: string): string | null {
  if (sport === 'mlb' || sport === 'tennis') return null;
  const scored = [...(sides.home.period_scores ?? []), ...(sides.away.period_scores ?? [])];
  const played = [...scored.map((one) => one.period), period ?? ''];
  if (played.some((name) => name === 'SO' || name === 'PKs')) return 'shootout';
  return played.some((name) => /^(OT\d*|ET\d)$/.test(name)) ? 'overtime' : null;
}

/** "what the source says, else from the scores; false for both on a draw" */
function winnerOf({ sides: { home, away } }: Draft, sport: string): Side | null {
  if (home.is_winner || away.is_winner) return home.is_winner ? 'home' : 'away';
  if (home.is_winner === false && away.is_winner === false) return null;
  const ahead = sport === 'tennis' ? setsAhead(home.score, away.score) : Number(home.score) - Number(away.score);
  return ahead > 0 ? 'home' : ahead < 0 ? 'away' : null;
}

function setsAhead(home: string | undefined, away: string | undefined): number {
  if (!home || !away) return 0;
  const theirs = away.split(' ').map(Number);
  return home.split(' ').reduce((all, own, set) => all + Math.sign(Number(own) - theirs[set]!), 0);
}

function boxOf({ box }: Draft, ids: Ids): Box | null {
  if (!box) return null;
  const players = box.players.map(({ ref, role, ...row }) => ({
    ...row,
    player_id: ids.player(ref),
    side: SIDE_OF[role]!,
  }));
  return { final: box.final ?? false, teams: box.teams, players };
}
