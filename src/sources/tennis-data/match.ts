import { formatDate, formatTime } from '../../domain/time.ts';
import type { CsvRow } from '../importing/csv.ts';
import { scheduledAt } from '../importing/file-times.ts';
import type { ImportItem } from '../importing/importer.ts';
import { localStart } from '../importing/local-start.ts';

export type Tour = 'atp' | 'wta';
type Role = 'player_1' | 'player_2';

/** What every message of a row needs. */
export interface Match {
  readonly ref: string;
  readonly tour: Tour;
  readonly startsAt: number;
  readonly tbd: boolean;
  /** In the order of their names: who won must not show in who comes first. */
  readonly players: readonly [Player, Player];
}

export interface Player {
  readonly role: Role;
  readonly ref: string;
  readonly name: string;
  /** The column's letter: `W1`, `B365W` are the winner's. */
  readonly letter: 'W' | 'L';
}

export function readMatch(row: CsvRow, tour: Tour): { match: Match } | Extract<ImportItem, { note: unknown }> {
  const [winner, loser, tournament] = [row.get('Winner'), row.get('Loser'), row.get('Tournament')];
  const start = localStart(row.get('Date'), '', 'utc');
  const [winnerKey, loserKey] = [plain(winner), plain(loser)];
  if (!start || tournament === '' || winnerKey === '' || loserKey === '' || winnerKey === loserKey) {
    const message = 'The row was left out: it has no readable date, tournament or players.';
    return { note: { code: 'row_unreadable', line: row.line, message } };
  }
  const won = { key: winnerKey, name: winner, letter: 'W' as const };
  const lost = { key: loserKey, name: loser, letter: 'L' as const };
  const [first, second] = winnerKey < loserKey ? [won, lost] : [lost, won];
  const player = (role: Role, { key, name, letter }: typeof won | typeof lost): Player => {
    // Some names stand in both tours for two different people.
    return { role, ref: `${tour}:${key}`, name, letter };
  };
  const facts = [tour, formatDate(start.startsAt), plain(tournament), plain(row.get('Round')), first.key, second.key];
  const players = [player('player_1', first), player('player_2', second)] as const;
  return { match: { ref: facts.join(':'), tour, ...start, players } };
}

/** Letters and digits alone, so that `Del Potro J. M.` and `Del Potro J.M.` are one name. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const TIERS: Readonly<Record<Tour, Readonly<Record<string, string>>>> = {
  atp: {
    grandslam: 'grand_slam',
    masters: 'masters_1000',
    masters1000: 'masters_1000',
    atp500: 'atp_500',
    atp250: 'atp_250',
  },
  wta: { grandslam: 'grand_slam', wta1000: 'wta_1000', wta500: 'wta_500', wta250: 'wta_250' },
};

export function scheduleOfMatch(match: Match, row: CsvRow): Record<string, unknown> {
  const { tour } = match;
  const location = row.get('Location');
  const tier = plain(row.get(tour === 'atp' ? 'Series' : 'Tier'));
  return {
    kind: 'schedule',
    source: 'tennis-data',
    at: scheduledAt(match.startsAt),
    sport: 'tennis',
    league: tour,
    ref: match.ref,
    starts_at: formatTime(match.startsAt),
    starts_at_qualifier: match.tbd ? 'tbd' : undefined,
    participants: match.players.map(({ role, ref, name }) => ({ role, ref, name })),
    round: row.get('Round') || undefined,
    competition: {
      name: row.get('Tournament'),
      surface: surfaceOf(row.get('Surface'), row.get('Court')),
      tier: Object.hasOwn(TIERS[tour], tier) ? TIERS[tour][tier] : undefined,
    },
    // The file names the place and not the ground, so the place is all that the venue can be called.
    venue: location === '' ? undefined : { name: location, city: location },
    draw_type: 'singles',
  };
}

/** Carpet, and what else the contract has no word for, is left out. */
function surfaceOf(surface: string, court: string): string | undefined {
  switch (surface.toLowerCase()) {
    case 'hard':
      return court.toLowerCase() === 'indoor' ? 'indoor_hard' : 'hard';
    case 'clay':
      return 'clay';
    case 'grass':
      return 'grass';
    default:
      return undefined;
  }
}
