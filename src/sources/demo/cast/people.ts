/** Invented people. First names are common, surnames are made up. */
const FIRST_NAMES =
  'Rowan,Callum,Dorian,Emeric,Felix,Gideon,Hollis,Isandro,Jarrett,Kellan,Leander,Maddox,Nico,Orrin,Percy,Quentin,Ronan,Silas,Tobin,Ulric,Anselm,Bastian,Corwin,Desmond,Evander,Fabian,Garrick,Hadrian,Ignace,Jonas'.split(
    ',',
  );
const SURNAMES =
  'Brambleholt,Quillfeather,Thornquill,Vanterpole,Oxmarsh,Copperwhite,Larkmoor,Stonegrove,Ravensworthy,Duskwell,Fennimarsh,Hollowbrooke,Ironvale,Kettleburne,Merrowdale,Nightgale,Osterwyck,Pendlemoor,Rookhaven,Saltbridge,Tallowick,Underhollow,Wexforth,Yarrowby,Zellbrooke,Ashenford,Bellwhistle,Crowmarsh,Dunwhistle,Elderquist'.split(
    ',',
  );

/** A name for each number below 900, all different. */
export function personName(number: number): string {
  const first = number % FIRST_NAMES.length;
  const surname = (7 * first + Math.floor(number / FIRST_NAMES.length)) % SURNAMES.length;
  return `${FIRST_NAMES[first]} ${SURNAMES[surname]}`;
}

export interface TennisPlayer {
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
