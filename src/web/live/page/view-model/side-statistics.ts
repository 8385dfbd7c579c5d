import type { EventStatistics, Meeting, SideStatistics } from '../../answers/live-page-answers.ts';

/** Both sides in display order; null if nothing is known of either. */
export function statisticsOf(
  statistics: EventStatistics | null,
  sides: readonly { readonly role: string }[],
): readonly [SideStatistics, SideStatistics] | null {
  if (!statistics?.available) return null;
  const byRole: Readonly<Record<string, SideStatistics | undefined>> = { ...statistics.teams, ...statistics.players };
  const [first, second] = sides.map(({ role }) => byRole[role]);
  return first && second && (hasStatistics(first) || hasStatistics(second)) ? [first, second] : null;
}

/** Before the first game of a season there is nothing to show. */
const hasStatistics = (side: SideStatistics): boolean =>
  side.recent_form.results.length > 0 ||
  side.rest_days !== null ||
  side.head_to_head.meetings.length > 0 ||
  rankOf(side) !== null;

/** A record such as `7–2–1`; null without a counted game. */
export function recordOf({ team_strength: strength }: SideStatistics): string | null {
  const { games, w, l } = strength;
  if (typeof games !== 'number' || games === 0 || typeof w !== 'number' || typeof l !== 'number') return null;
  const { d, otl, t } = strength;
  // Soccer lists draws before losses; other sports list ties and overtime losses last.
  if (typeof d === 'number') return [w, d, l].join('–');
  const last = typeof otl === 'number' ? otl : typeof t === 'number' && t > 0 ? t : null;
  return (last === null ? [w, l] : [w, l, last]).join('–');
}

/** The rank in the league, or a tennis player's world ranking. */
export function rankOf({ team_strength: { rank, ranking } }: SideStatistics): number | null {
  const found = rank ?? ranking;
  return typeof found === 'number' ? found : null;
}

interface RateRow {
  readonly field: string;
  /** Season and last five of the first side, then of the second. */
  readonly values: readonly (number | null)[];
}

/** Members of rates that are no means. */
const NO_MEANS: ReadonlySet<string> = new Set(['source', 'window', 'window_size', 'games', 'field_games']);

/** The means that at least one side has. */
export function rateRows([first, second]: readonly [SideStatistics, SideStatistics]): RateRow[] {
  const all = [first.rates_season, first.rates_l5, second.rates_season, second.rates_l5];
  const fields = new Set(all.flatMap((rates) => Object.keys(rates)).filter((field) => !NO_MEANS.has(field)));
  return [...fields]
    .map((field) => ({ field, values: all.map((rates) => numberOr(rates[field])) }))
    .filter(({ values }) => values.some((value) => value !== null));
}
const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The earlier meetings of both sides: their scores, in display order. */
export function meetingScores(
  { head_to_head: { meetings } }: SideStatistics,
  isSwapped: boolean,
): { readonly scores: readonly [number, number]; readonly surface: string | null }[] {
  return meetings.flatMap((meeting) => {
    const [home, away] = scoresOf(meeting);
    if (typeof home !== 'number' || typeof away !== 'number') return [];
    return [
      { scores: isSwapped ? ([away, home] as const) : ([home, away] as const), surface: meeting.surface ?? null },
    ];
  });
}
const scoresOf = (meeting: Meeting): readonly (number | null | undefined)[] => [
  meeting.home_goals ?? meeting.home_score ?? meeting.player_1_sets,
  meeting.away_goals ?? meeting.away_score ?? meeting.player_2_sets,
];
