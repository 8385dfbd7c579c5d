/** Invented soccer clubs, and invented nations: name, town, abbreviation. */
type ClubRow = readonly [name: string, town: string, abbreviation: string];

interface ClubsOfCountry {
  readonly country: string;
  readonly timezone: string;
  readonly clubs: readonly ClubRow[];
}

export const CLUBS: Readonly<Record<string, ClubsOfCountry>> = {
  epl: {
    country: 'GBR',
    timezone: 'Europe/London',
    clubs: [
      ['Harrowmere United', 'Harrowmere', 'HAR'],
      ['Eastmarch Athletic', 'Eastmarch', 'EMA'],
      ['Blackfen Town', 'Blackfen', 'BLF'],
      ['Kingsholt Wanderers', 'Kingsholt', 'KGH'],
      ['Marlowick City', 'Marlowick', 'MLW'],
      ['Dunmarrow Albion', 'Dunmarrow', 'DNM'],
      ['Saltergate Rangers', 'Saltergate', 'SGR'],
      ['Fairhithe', 'Fairhithe', 'FHT'],
    ],
  },
  la_liga: {
    country: 'ESP',
    timezone: 'Europe/Madrid',
    clubs: [
      ['Atlético Miravega', 'Miravega', 'MIR'],
      ['Deportivo Almarena', 'Almarena', 'ALM'],
      ['Unión Costaverna', 'Costaverna', 'UCV'],
      ['Racing Peñaluna', 'Peñaluna', 'PLN'],
      ['CF Torredemar', 'Torredemar', 'TDM'],
      ['Sporting Valdoreal', 'Valdoreal', 'VDR'],
      ['CD Oroviejo', 'Oroviejo', 'ORO'],
      ['Rayo Montesolar', 'Montesolar', 'MSL'],
    ],
  },
  serie_a: {
    country: 'ITA',
    timezone: 'Europe/Rome',
    clubs: [
      ['Virtus Pontelago', 'Pontelago', 'PTL'],
      ['AC Montedoro', 'Montedoro', 'MTD'],
      ['Borgoluna Calcio', 'Borgoluna', 'BLU'],
      ['US Castelvento', 'Castelvento', 'CVT'],
      ['Aurora Lidorosso', 'Lidorosso', 'LRS'],
      ['Polisportiva Sanvero', 'Sanvero', 'SVR'],
      ['AC Roccalbina', 'Roccalbina', 'RCB'],
      ['Pro Valmarina', 'Valmarina', 'VMR'],
    ],
  },
  bundesliga: {
    country: 'DEU',
    timezone: 'Europe/Berlin',
    clubs: [
      ['SV Falkenrode', 'Falkenrode', 'FKR'],
      ['FC Grünfurth', 'Grünfurth', 'GRF'],
      ['TSV Silbermoor', 'Silbermoor', 'SBM'],
      ['Eintracht Moorhagen', 'Moorhagen', 'MHG'],
      ['VfB Lindenrath', 'Lindenrath', 'LDR'],
      ['FC Rothenmark', 'Rothenmark', 'RTM'],
      ['Union Kaltenbrück', 'Kaltenbrück', 'KBR'],
      ['SC Adlerfels', 'Adlerfels', 'ADF'],
    ],
  },
  ligue_1: {
    country: 'FRA',
    timezone: 'Europe/Paris',
    clubs: [
      ['AS Belrivage', 'Belrivage', 'BRV'],
      ['FC Montargenteau', 'Montargenteau', 'MTG'],
      ['Stade Corvignac', 'Corvignac', 'CVG'],
      ['Racing Saint-Aubrac', 'Saint-Aubrac', 'STA'],
      ['US Portelune', 'Portelune', 'PLU'],
      ['Olympique Rochefleur', 'Rochefleur', 'RCF'],
      ['ES Vallondine', 'Vallondine', 'VLD'],
      ['FC Bruyèremont', 'Bruyèremont', 'BRM'],
    ],
  },
  fifa_world_cup: {
    country: '',
    timezone: 'UTC',
    clubs: [
      ['Valdoria', 'Valdoria', 'VAL'],
      ['Norrland Isles', 'Norrland Isles', 'NRI'],
      ['Costa Luminosa', 'Costa Luminosa', 'CLU'],
      ['Tarshaan', 'Tarshaan', 'TSH'],
      ['Ostravia', 'Ostravia', 'OSV'],
      ['Kembali', 'Kembali', 'KEM'],
      ['Meridonia', 'Meridonia', 'MDN'],
      ['Zephyria', 'Zephyria', 'ZEP'],
    ],
  },
};

/** Names of invented teams, one for each town, in the order of the towns. */
export const NICKNAMES = {
  nfl: list(
    'Ironclads,Harriers,Sentinels,Thunderheads,Drovers,Quarrymen,Outriders,Bonfires,Anvils,Nightherons,Lumberjacks,Rattlers,Wayfinders,Furnacemen,Longbows,Stagecoaches',
  ),
  nba: list(
    'Lanterns,Skylarks,Comets,Metronomes,Kites,Voltage,Foxfires,Aviators,Cinders,Tides,Beacons,Orbiters,Ferrymen,Mirages,Pendulums,Sparrowhawks',
  ),
  mlb: list(
    'Clockmakers,Herons,Steamers,Peddlers,Lamplighters,Wagoners,Coppers,Fiddlers,Haymakers,Ravenwings,Tinkers,Gulls,Whistlers,Brickmen,Lanternjacks,Millwrights',
  ),
  nhl: list(
    'Icebreakers,Northlights,Frostbacks,Snowcaps,Glaciers,Polar Foxes,Whiteouts,Narwhals,Harbormasters,Boreals,Icewrights,Lynxes,Permafrost,Skalds,Snowdrifts,Sledgers',
  ),
  ncaaf: list(
    'State Herdsmen,Tech Falconers,College Marauders,A&T Pathfinders,State Stonecutters,Tech Kingfishers,College Wayfarers,State Ploughmen,Tech Foundrymen,College Stags,A&T Riders,State Otters,Tech Condors,College Badgermen,State Larks,A&T Mariners',
  ),
  ncaab: list(
    'State Herdsmen,Tech Falconers,College Marauders,A&T Pathfinders,State Stonecutters,Tech Kingfishers,College Wayfarers,State Ploughmen,Tech Foundrymen,College Stags,A&T Riders,State Otters,Tech Condors,College Badgermen,State Larks,A&T Mariners',
  ),
  mls: list('SC,United,Athletic,Rovers SC,Union,FC,Dynamics,Wanderers'),
} as const satisfies Record<string, readonly string[]>;

function list(names: string): readonly string[] {
  return names.split(',');
}

/** Invented towns of the demo's teams: none of them is on a map. Abbreviations are unique. */
interface Town {
  readonly name: string;
  readonly abbreviation: string;
  readonly timezone: string;
}

const town = (name: string, abbreviation: string, zone: string): Town => ({
  name,
  abbreviation,
  timezone: `America/${zone}`,
});

export const TOWNS: readonly Town[] = [
  town('Port Meridian', 'PTM', 'New_York'),
  town('Ashenvale', 'ASH', 'Chicago'),
  town('Kestrel Bay', 'KES', 'Los_Angeles'),
  town('Northmoor', 'NMR', 'New_York'),
  town('Silverpine', 'SLP', 'Denver'),
  town('Coppermouth', 'CPM', 'Chicago'),
  town('Larkhaven', 'LRK', 'New_York'),
  town('Stonewater', 'STW', 'Los_Angeles'),
  town('Emberfall', 'EMB', 'Denver'),
  town('Windrush Point', 'WRP', 'Chicago'),
  town('Saltmarrow', 'SLM', 'New_York'),
  town('Redthorn', 'RDT', 'Chicago'),
  town('Oakenreach', 'OKR', 'Los_Angeles'),
  town('Cinder Valley', 'CDV', 'Denver'),
  town('Highlantern', 'HIL', 'New_York'),
  town('Velmont', 'VEL', 'Los_Angeles'),
];

/** Invented people. First names are common, surnames are made up. */
const FIRST_NAMES =
  'Rowan,Callum,Dorian,Emeric,Felix,Gideon,Hollis,Isandro,Jarrett,Kellan,Leander,Maddox,Nico,Orrin,Percy,Quentin,Ronan,Silas,Tobin,Ulric,Anselm,Bastian,Corwin,Desmond,Evander,Fabian,Garrick,Hadrian,Ignace,Jonas'.split(
    ',',
  );
const SURNAMES =
  'Brambleholt,Quillfeather,Thornquill,Vanterpole,Oxmarsh,Copperwhite,Larkmoor,Stonegrove,Ravensworthy,Duskwell,Fennimarsh,Hollowbrooke,Ironvale,Kettleburne,Merrowdale,Nightgale,Osterwyck,Pendlemoor,Rookhaven,Saltbridge,Tallowick,Underhollow,Wexforth,Yarrowby,Zellbrooke,Ashenford,Bellwhistle,Crowmarsh,Dunwhistle,Elderquist'.split(
    ',',
  );

/** A different name for each number below 900. */
export function personName(number: number): string {
  const first = number % FIRST_NAMES.length;
  const surname = (7 * first + Math.floor(number / FIRST_NAMES.length)) % SURNAMES.length;
  return `${FIRST_NAMES[first]} ${SURNAMES[surname]}`;
}

interface TennisPlayer {
  readonly name: string;
  /** ISO alpha-3. */
  readonly country: string;
}

const players = (rows: string): readonly TennisPlayer[] =>
  rows.split(',').map((row) => {
    const [name, country] = row.split('|') as [string, string];
    return { name, country };
  });

/** Best first. */
export const TENNIS_PLAYERS: Readonly<Record<'atp' | 'wta', readonly TennisPlayer[]>> = {
  atp: players(
    'Aldo Ferranquist|SWE,Mirko Valdestam|SRB,Julien Orsavane|FRA,Kenji Asagumori|JPN,Luca Mariventi|ITA,Pablo Torrealmar|ESP,Henrik Stormgaarde|DNK,Elias Wendelroth|DEU,Noah Thackerwell|USA,Dmitar Halvorsek|HRV,Marcel Dubrissart|BEL,Stefan Kollerhaus|AUT,Andre Villamontes|ARG,Oskar Lindqvale|SWE,Theo Castelmarch|FRA,Bruno Saldanhez|BRA,Yannick Fauvelieu|CHE,Tomas Brindlecourt|GBR,Rafe Quillonby|AUS,Ivo Petrellian|BGR',
  ),
  wta: players(
    'Mira Castellune|ITA,Elena Vostrikane|KAZ,Sofie Lindermarke|DNK,Aiko Tsukimorei|JPN,Clara Beaumontel|FRA,Nadia Orlovane|UKR,Lucia Ferrandale|ESP,Petra Novalikova|CZE,Hannah Winterbourneau|USA,Ines Valcarant|PRT,Zoe Merriwickett|GBR,Katarina Dvorelle|SVK,Amelie Rochevigne|FRA,Greta Silberhain|DEU,Freya Holmquistad|NOR,Yara Monteclaro|BRA,Daria Belokamen|POL,Tamsin Greywaters|AUS,Renata Colibriano|ARG,Olivia Harrowdene|CAN',
  ),
};
