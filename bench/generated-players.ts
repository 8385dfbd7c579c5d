import type { PlayerNamesDocument } from '../projections/directory/player-names.ts';
import { seeded } from './event-history.ts';

const GIVEN =
  `Aaron Adrian Aleksander Alexander Andrés Anthony Antoine Benjamin Björn Brandon Carlos Charles Christopher
  C.J. D'Angelo Daniel Darius David De'Andre Diego Dmitri Đorđe Edward Elijah Emmanuel Félix François Gabriel George Grégory
  Hans-Peter Isaiah Iván J.J. Ja'Marr Jalen James Jaylin João Jonas Jorge José Joseph Joshua Juan Julián Karl-Anthony
  Kenneth Kevin LaMelo Lawrence Łukasz Luis Luka Marcus Markieff Martín Matthew Michael Miguel Mohamed Nathaniel Nicholas
  Nicolò O'Shea Øyvind Patrick Peter Rafael Raymond Robert Ronald Samuel Sébastien Sergei Steven T.J. Théo Thomas Timothy
  Tomáš Victor Vladimir Walter William Xavier Zachary Željko`.split(/\s+/);
const FAMILY =
  `Acuña Adams Allen Álvarez Anderson Antetokounmpo Auger-Aliassime Bąk Baker Barnes Bell Beltré Bogdanović Brown
  Çalhanoğlu Campbell Carter Castellanos Clark Cruz Davis De_La_Cruz De_Paul Díaz Dončić Edwards Evans Fernández Fofana
  Garcia García Gilgeous-Alexander González Green Griffin Guðmundsson Hall Hardaway Harris Hernández Hill Håland Ibáñez
  Jackson James Jiménez Johnson Jokić Jones Kovačić Kowalski Lee Lewandowski Lewis López Mac_Allister Martin Martínez
  Mbappé Meyer Miller Mitchell Moore Morris Muñoz Müller N'Diaye Nguyễn Nuñez O'Brien O'Neill Ødegaard Ortiz Öztürk Parker
  Pérez Peterson Phillips Popović Ramírez Reyes Rivera Roberts Robinson Rodríguez Rossi Ruiz-Díaz Sabonis Sánchez Şahin
  Schäfer Scott Silva Smith Smith-Rowe St._Brown St._John Strauß Suárez Świątek Taylor Thomas Torres Turner Valančiūnas
  van_den_Berg van_Dijk Vázquez Walker Ward-Prowse Watson White Williams Wilson Wright Young Zverev`
    .split(/\s+/)
    .map((name) => name.replaceAll('_', ' '));
const MIDDLE = ['', '', '', '', 'Lee ', 'Alan ', 'Rey ', 'André '];
const SUFFIXES = ['Jr.', 'Jr', 'Sr.', 'II', 'III', 'IV'];
const POSITIONS = ['QB', 'PG', 'SG', 'C', 'SP', 'CF', 'LW', 'GK'];
const SPORTS = ['nfl', 'nba', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'tennis', 'soccer'];
/** So that the names of 100,000 players are hardly more often the same than those of real ones. */
const STEMS = 'bar cor dal fen gar hol kel lan mor nor pel quin ros sal tor vel wen zan'.split(' ');
const ENDINGS = 'ton ley man ski sen ez ini ova ic well ard ford by ham son'.split(' ');

/**
 * Players as directories hold them: accents, apostrophes, compound surnames, suffixes, namesakes, one in ten of a family in
 * which father and son bear one name. The same for the same count and teams.
 * @param teamIds of a sport; none: the player has no team
 */
export function generatedPlayers(count: number, teamIds: (sport: string) => readonly number[]): PlayerNamesDocument[] {
  const random = seeded(count);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);
  const made = () => capital(one(STEMS) + one(['', one(STEMS)]) + one(ENDINGS));
  const players: PlayerNamesDocument[] = [];
  for (let id = 1; id <= count; id++) {
    const before = players.at(-1);
    const isNamesake = before !== undefined && random() < 0.03;
    const last = random() < 0.4 ? one(FAMILY) : made();
    const plain = isNamesake ? before.facts.full_name : `${one(GIVEN)} ${one(MIDDLE)}${last}`;
    const hasSuffix = random() < 0.06;
    const full_name = hasSuffix && !isNamesake ? `${plain} ${one(SUFFIXES)}` : plain;
    const sport = isNamesake && random() < 0.7 ? before.sport : one(SPORTS);
    const teams = teamIds(sport);
    players.push({
      id,
      sport,
      facts: {
        full_name,
        ...(isNamesake ? picked(before.facts.last_name) : { last_name: last }),
        ...(random() < 0.8 ? { position: one(POSITIONS) } : {}),
        ...(teams.length > 0 && random() < 0.9 ? { team_id: one(teams) } : {}),
      },
    });
    // His son.
    if (!hasSuffix && !isNamesake && random() < 0.02 && id < count) {
      id++;
      players.push({ id, sport, facts: { full_name: `${full_name} Jr.`, last_name: last } });
    }
  }
  return players;
}

const picked = (last_name: string | undefined) => (last_name === undefined ? {} : { last_name });
