import type { League } from '../../domain/catalogue/catalogue.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';

/** A club that files and other providers name in several ways. */
interface Club {
  /** That most providers use. */
  readonly name: string;
  readonly abbreviation: string;
  readonly aliases: readonly string[];
}

type Row = readonly [name: string, abbreviation: string, ...aliases: string[]];

/** By the slug of the league. A club that all name alike has no row. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  epl: [
    ['AFC Bournemouth', 'BOU', 'Bournemouth'],
    ['Birmingham City', 'BIR', 'Birmingham'],
    ['Blackburn Rovers', 'BLB', 'Blackburn'],
    ['Bolton Wanderers', 'BOL', 'Bolton'],
    ['Brighton & Hove Albion', 'BHA', 'Brighton', 'Brighton and Hove Albion'],
    ['Cardiff City', 'CAR', 'Cardiff'],
    ['Huddersfield Town', 'HUD', 'Huddersfield'],
    ['Hull City', 'HUL', 'Hull'],
    ['Ipswich Town', 'IPS', 'Ipswich'],
    ['Leeds United', 'LEE', 'Leeds'],
    ['Leicester City', 'LEI', 'Leicester'],
    ['Luton Town', 'LUT', 'Luton'],
    ['Manchester City', 'MCI', 'Man City'],
    ['Manchester United', 'MUN', 'Man United', 'Man Utd'],
    ['Newcastle United', 'NEW', 'Newcastle'],
    ['Norwich City', 'NOR', 'Norwich'],
    ['Nottingham Forest', 'NFO', "Nott'm Forest"],
    ['Queens Park Rangers', 'QPR'],
    ['Sheffield United', 'SHU', 'Sheffield Utd'],
    ['Stoke City', 'STK', 'Stoke'],
    ['Swansea City', 'SWA', 'Swansea'],
    ['Tottenham Hotspur', 'TOT', 'Tottenham', 'Spurs'],
    ['West Bromwich Albion', 'WBA', 'West Brom'],
    ['West Ham United', 'WHU', 'West Ham'],
    ['Wigan Athletic', 'WIG', 'Wigan'],
    ['Wolverhampton Wanderers', 'WOL', 'Wolves'],
  ],
  la_liga: [
    ['Almería', 'ALM', 'UD Almería'],
    ['Athletic Club', 'ATH', 'Ath Bilbao', 'Athletic Bilbao', 'Athletic Club Bilbao'],
    ['Atlético Madrid', 'ATM', 'Ath Madrid', 'Atlético de Madrid'],
    ['Barcelona', 'BAR', 'FC Barcelona'],
    ['Cádiz', 'CAD', 'Cádiz CF'],
    ['Celta Vigo', 'CEL', 'Celta', 'Celta de Vigo'],
    ['Deportivo Alavés', 'ALA', 'Alavés'],
    ['Deportivo La Coruña', 'DEP', 'La Coruña', 'Deportivo de La Coruña'],
    ['Eibar', 'EIB', 'SD Eibar'],
    ['Elche', 'ELC', 'Elche CF'],
    ['Espanyol', 'ESP', 'Espanol', 'RCD Espanyol'],
    ['Getafe', 'GET', 'Getafe CF'],
    ['Girona', 'GIR', 'Girona FC'],
    ['Granada', 'GRA', 'Granada CF'],
    ['Huesca', 'HUE', 'SD Huesca'],
    ['Las Palmas', 'LPA', 'UD Las Palmas'],
    ['Leganés', 'LEG', 'CD Leganés'],
    ['Levante', 'LEV', 'Levante UD'],
    ['Málaga', 'MGA', 'Málaga CF'],
    ['Mallorca', 'MLL', 'RCD Mallorca'],
    ['Osasuna', 'OSA', 'CA Osasuna'],
    ['Racing Santander', 'RAC', 'Santander', 'Racing de Santander'],
    ['Rayo Vallecano', 'RAY', 'Vallecano'],
    ['Real Betis', 'BET', 'Betis'],
    ['Real Oviedo', 'OVI', 'Oviedo'],
    ['Real Sociedad', 'RSO', 'Sociedad'],
    ['Real Valladolid', 'VLD', 'Valladolid'],
    ['Real Zaragoza', 'ZAR', 'Zaragoza'],
    ['Sevilla', 'SEV', 'Sevilla FC'],
    ['Sporting Gijón', 'SPG', 'Sp Gijon', 'Sporting de Gijón'],
    ['Valencia', 'VAL', 'Valencia CF'],
    ['Villarreal', 'VIL', 'Villarreal CF'],
  ],
  bundesliga: [
    ['1. FC Heidenheim', 'HDH', 'Heidenheim', '1. FC Heidenheim 1846', 'FC Heidenheim'],
    ['1. FC Kaiserslautern', 'FCK', 'Kaiserslautern'],
    ['1. FC Köln', 'KOE', 'FC Köln', 'Köln', 'FC Cologne'],
    ['1. FC Nürnberg', 'FCN', 'Nürnberg'],
    ['1. FC Union Berlin', 'FCU', 'Union Berlin'],
    ['Arminia Bielefeld', 'DSC', 'Bielefeld'],
    ['Bayer Leverkusen', 'B04', 'Leverkusen', 'Bayer 04 Leverkusen'],
    ['Bayern Munich', 'FCB', 'Bayern München', 'FC Bayern München'],
    ['Borussia Dortmund', 'BVB', 'Dortmund'],
    ['Borussia Mönchengladbach', 'BMG', "M'gladbach", "Borussia M'gladbach"],
    ['Darmstadt 98', 'D98', 'Darmstadt', 'SV Darmstadt 98'],
    ['Eintracht Braunschweig', 'EBS', 'Braunschweig'],
    ['Eintracht Frankfurt', 'SGE', 'Ein Frankfurt'],
    ['FC Augsburg', 'FCA', 'Augsburg'],
    ['FC Ingolstadt 04', 'FCI', 'Ingolstadt', 'FC Ingolstadt'],
    ['FC St. Pauli', 'STP', 'St. Pauli'],
    ['Greuther Fürth', 'SGF', 'SpVgg Greuther Fürth'],
    ['Hamburger SV', 'HSV', 'Hamburg', 'Hamburg SV'],
    ['Hannover 96', 'H96', 'Hannover'],
    ['Hertha Berlin', 'BSC', 'Hertha', 'Hertha BSC'],
    ['Mainz 05', 'M05', 'Mainz', '1. FSV Mainz 05', 'FSV Mainz 05'],
    ['SC Freiburg', 'SCF', 'Freiburg'],
    ['SC Paderborn', 'SCP', 'Paderborn', 'SC Paderborn 07'],
    ['Schalke 04', 'S04', 'FC Schalke 04'],
    ['TSG Hoffenheim', 'TSG', 'Hoffenheim', 'TSG 1899 Hoffenheim', '1899 Hoffenheim'],
    ['VfB Stuttgart', 'VFB', 'Stuttgart'],
    ['VfL Bochum', 'BOC', 'Bochum'],
    ['VfL Wolfsburg', 'WOB', 'Wolfsburg'],
    ['Werder Bremen', 'SVW', 'SV Werder Bremen'],
  ],
  serie_a: [
    ['AC Milan', 'MIL', 'Milan'],
    ['AS Roma', 'ROM', 'Roma'],
    ['Atalanta', 'ATA', 'Atalanta BC'],
    ['Chievo Verona', 'CHV', 'Chievo'],
    ['Hellas Verona', 'VER', 'Verona'],
    ['Inter Milan', 'INT', 'Inter', 'Internazionale'],
    ['Napoli', 'NAP', 'SSC Napoli'],
  ],
  ligue_1: [
    ['AC Ajaccio', 'ACA', 'Ajaccio'],
    ['Angers', 'SCO', 'Angers SCO'],
    ['AS Monaco', 'ASM', 'Monaco'],
    ['Auxerre', 'AJA', 'AJ Auxerre'],
    ['Bordeaux', 'BOR', 'Girondins de Bordeaux'],
    ['Brest', 'BRE', 'Stade Brestois', 'Stade Brestois 29'],
    ['Gazélec Ajaccio', 'GFC', 'Ajaccio GFCO'],
    ['Le Havre', 'HAC', 'Le Havre AC'],
    ['Lens', 'RCL', 'RC Lens'],
    ['Lille', 'LIL', 'Lille OSC', 'LOSC Lille'],
    ['Lorient', 'FCL', 'FC Lorient'],
    ['Lyon', 'OL', 'Olympique Lyonnais'],
    ['Marseille', 'OM', 'Olympique Marseille', 'Olympique de Marseille'],
    ['Metz', 'MET', 'FC Metz'],
    ['Montpellier', 'MHS', 'Montpellier HSC'],
    ['Nantes', 'FCN', 'FC Nantes'],
    ['Nice', 'NIC', 'OGC Nice'],
    ['Paris Saint-Germain', 'PSG', 'Paris SG'],
    ['Reims', 'SDR', 'Stade de Reims'],
    ['Rennes', 'REN', 'Stade Rennais', 'Stade Rennais FC'],
    ['Saint-Étienne', 'STE', 'St Etienne', 'AS Saint-Étienne'],
    ['Strasbourg', 'RCS', 'RC Strasbourg', 'Strasbourg Alsace'],
    ['Toulouse', 'TFC', 'Toulouse FC'],
    ['Troyes', 'EST', 'ES Troyes AC', 'ESTAC Troyes'],
  ],
};

const keyOf = (league: string, name: string): string => `${league}:${normalizeName(name)}`;

const CLUBS: ReadonlyMap<string, Club> = new Map(
  Object.entries(ROWS).flatMap(([league, rows]) =>
    rows.flatMap(([name, abbreviation, ...aliases]) => {
      const club = { name, abbreviation, aliases };
      return [name, abbreviation, ...aliases].map((one) => [keyOf(league, one), club] as const);
    }),
  ),
);

/** The club that a file means; undefined for one that all files name alike. */
export const findClub = ({ slug }: Pick<League, 'slug'>, name: string): Club | undefined =>
  CLUBS.get(keyOf(slug, name));
