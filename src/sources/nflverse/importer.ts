import { type Importer, UnknownFileShape } from '../importing/importer.ts';
import { assumedScheduleTime } from '../parsing/assumed-times.ts';
import { cellInteger, openCsv } from '../parsing/csv.ts';
import { lineupOfGame, scheduleOfGame, scoreOfGame } from './game-messages.ts';
import { type GameSide, readGame } from './game-row.ts';
import { oddsOfGame } from './odds.ts';

const NEEDED = ['game_id', 'season', 'game_type', 'week', 'gameday', 'away_team', 'home_team'];

/** The schedules of nflverse: one game per row, with result, quarterbacks and closing lines. */
export const nflverseImporter: Importer = {
  name: 'nflverse',
  summary: 'NFL schedules, results, quarterbacks and closing lines of nflverse (games.csv)',
  async *translate(file) {
    const csv = await openCsv(file.open());
    try {
      if (!NEEDED.every((column) => csv.has(column))) {
        throw new UnknownFileShape(file.name, `a CSV file with the columns ${NEEDED.join(', ')}`);
      }
      const named = new Set<string>();
      for await (const row of csv.rows) {
        const read = readGame(row);
        if ('note' in read) {
          yield read;
          continue;
        }
        const { game } = read;
        for (const side of [game.home, game.away]) {
          const spelling = `${side.team.ref} ${side.code} ${side.team.name}`;
          if (!named.has(spelling)) yield { message: teamMessage(side, game.startsAt) };
          named.add(spelling);
        }
        yield { message: scheduleOfGame(game, row) };
        const homeScore = cellInteger(row.get('home_score'));
        const awayScore = cellInteger(row.get('away_score'));
        // Lines of a future game are not closing lines.
        if (homeScore === undefined || awayScore === undefined) continue;
        const lineup = lineupOfGame(game, row);
        if (lineup) yield { message: lineup };
        yield* oddsOfGame(game, row);
        yield { message: scoreOfGame(game, row, homeScore, awayScore) };
      }
    } finally {
      csv.close();
    }
  },
};

/** A team stays the same after a rename or relocation. Its name is that of the newest season; earlier names are
 *  aliases, so that the names of other sources always match. */
function teamMessage({ code, team }: GameSide, startsAt: number): Record<string, unknown> {
  return {
    kind: 'team',
    source: 'nflverse',
    at: assumedScheduleTime(startsAt),
    sport: 'nfl',
    league: 'nfl',
    ref: team.ref,
    name: team.name,
    short_name: team.shortName,
    abbreviation: code,
    aliases: team.aliases,
  };
}
