import type { Message } from '../../api/spec/messages.ts';

/** Teams of the leagues from ESPN: place, nickname, abbreviation. */
const PLACED: Readonly<Record<string, string>> = {
  nfl: `Arizona/Cardinals/ARI Atlanta/Falcons/ATL Baltimore/Ravens/BAL Buffalo/Bills/BUF Carolina/Panthers/CAR
    Chicago/Bears/CHI Cincinnati/Bengals/CIN Cleveland/Browns/CLE Dallas/Cowboys/DAL Denver/Broncos/DEN
    Detroit/Lions/DET Green_Bay/Packers/GB Houston/Texans/HOU Indianapolis/Colts/IND Jacksonville/Jaguars/JAX
    Kansas_City/Chiefs/KC Las_Vegas/Raiders/LV Los_Angeles/Chargers/LAC Los_Angeles/Rams/LAR Miami/Dolphins/MIA
    Minnesota/Vikings/MIN New_England/Patriots/NE New_Orleans/Saints/NO New_York/Giants/NYG New_York/Jets/NYJ
    Philadelphia/Eagles/PHI Pittsburgh/Steelers/PIT San_Francisco/49ers/SF Seattle/Seahawks/SEA
    Tampa_Bay/Buccaneers/TB Tennessee/Titans/TEN Washington/Commanders/WSH`,
  nba: `Atlanta/Hawks/ATL Boston/Celtics/BOS Brooklyn/Nets/BKN Charlotte/Hornets/CHA Chicago/Bulls/CHI
    Cleveland/Cavaliers/CLE Dallas/Mavericks/DAL Denver/Nuggets/DEN Detroit/Pistons/DET Golden_State/Warriors/GS
    Houston/Rockets/HOU Indiana/Pacers/IND LA/Clippers/LAC Los_Angeles/Lakers/LAL Memphis/Grizzlies/MEM Miami/Heat/MIA
    Milwaukee/Bucks/MIL Minnesota/Timberwolves/MIN New_Orleans/Pelicans/NO New_York/Knicks/NY
    Oklahoma_City/Thunder/OKC Orlando/Magic/ORL Philadelphia/76ers/PHI Phoenix/Suns/PHX
    Portland/Trail_Blazers/POR Sacramento/Kings/SAC San_Antonio/Spurs/SA Toronto/Raptors/TOR Utah/Jazz/UTAH
    Washington/Wizards/WSH`,
  mlb: `Arizona/Diamondbacks/ARI Atlanta/Braves/ATL Baltimore/Orioles/BAL Boston/Red_Sox/BOS Chicago/Cubs/CHC
    Chicago/White_Sox/CHW Cincinnati/Reds/CIN Cleveland/Guardians/CLE Colorado/Rockies/COL Detroit/Tigers/DET
    Houston/Astros/HOU Kansas_City/Royals/KC Los_Angeles/Angels/LAA Los_Angeles/Dodgers/LAD Miami/Marlins/MIA
    Milwaukee/Brewers/MIL Minnesota/Twins/MIN New_York/Mets/NYM New_York/Yankees/NYY Philadelphia/Phillies/PHI
    Pittsburgh/Pirates/PIT San_Diego/Padres/SD San_Francisco/Giants/SF Seattle/Mariners/SEA St._Louis/Cardinals/STL
    Tampa_Bay/Rays/TB Texas/Rangers/TEX Toronto/Blue_Jays/TOR Washington/Nationals/WSH`,
  nhl: `Anaheim/Ducks/ANA Boston/Bruins/BOS Buffalo/Sabres/BUF Calgary/Flames/CGY Carolina/Hurricanes/CAR
    Chicago/Blackhawks/CHI Colorado/Avalanche/COL Columbus/Blue_Jackets/CBJ Dallas/Stars/DAL Detroit/Red_Wings/DET
    Edmonton/Oilers/EDM Florida/Panthers/FLA Los_Angeles/Kings/LA Minnesota/Wild/MIN Montréal/Canadiens/MTL
    Nashville/Predators/NSH New_Jersey/Devils/NJ New_York/Islanders/NYI New_York/Rangers/NYR Ottawa/Senators/OTT
    Philadelphia/Flyers/PHI Pittsburgh/Penguins/PIT San_Jose/Sharks/SJ Seattle/Kraken/SEA St._Louis/Blues/STL
    Tampa_Bay/Lightning/TB Toronto/Maple_Leafs/TOR Utah/Mammoth/UTA Vancouver/Canucks/VAN Vegas/Golden_Knights/VGK
    Washington/Capitals/WSH Winnipeg/Jets/WPG`,
};

/** Name, abbreviation, short name. */
const CLUBS: Readonly<Record<string, string>> = {
  epl: `Arsenal/ARS Aston_Villa/AVL AFC_Bournemouth/BOU/Bournemouth Brentford/BRE Brighton_&_Hove_Albion/BHA/Brighton
    Chelsea/CHE Crystal_Palace/CRY Everton/EVE Fulham/FUL Leeds_United/LEE/Leeds Liverpool/LIV
    Manchester_City/MNC/Man_City Manchester_United/MAN/Man_United Newcastle_United/NEW/Newcastle
    Nottingham_Forest/NFO/Nottm_Forest Tottenham_Hotspur/TOT/Tottenham West_Ham_United/WHU/West_Ham
    Wolverhampton_Wanderers/WOL/Wolves`,
  la_liga: `Athletic_Club/ATH Atlético_Madrid/ATM/Atlético Barcelona/BAR Celta_Vigo/CEL Espanyol/ESP Getafe/GET
    Girona/GIR Osasuna/OSA Rayo_Vallecano/RAY Real_Betis/BET Real_Madrid/RMA Real_Sociedad/RSO Sevilla/SEV
    Valencia/VAL Villarreal/VIL`,
  serie_a: `AC_Milan/MIL AS_Roma/ROMA Atalanta/ATA Bologna/BOL Internazionale/INT Juventus/JUV Lazio/LAZ Napoli/NAP
    Torino/TOR`,
  bundesliga: `1._FC_Union_Berlin/FCUB Bayer_Leverkusen/LEV Bayern_Munich/MUN Borussia_Dortmund/DOR
    Borussia_Mönchengladbach/BMG FC_Augsburg/FCA FC_Cologne/KOLN/Cologne Mainz_05/M05 SC_Freiburg/SCF TSG_Hoffenheim/TSG
    VfB_Stuttgart/VFB VfL_Wolfsburg/WOB Werder_Bremen/BRE`,
  ligue_1: `AJ_Auxerre/AUX AS_Monaco/MON Lens/LENS Lille/LILL Lyon/LYON Marseille/MARS Nice/NICE
    Paris_Saint-Germain/PSG Stade_Rennais/REN Strasbourg/STR`,
  mls: `Atlanta_United_FC/ATL Austin_FC/ATX FC_Cincinnati/CIN FC_Dallas/DAL Inter_Miami_CF/MIA LA_Galaxy/LA LAFC/LAFC
    Minnesota_United_FC/MIN New_York_City_FC/NYC Red_Bull_New_York/RBNY Real_Salt_Lake/RSL Seattle_Sounders_FC/SEA
    Toronto_FC/TOR`,
};

/** Name, abbreviation, short name; the same schools play football and basketball. */
const COLLEGES = `Alabama_Crimson_Tide/ALA/Alabama Duke_Blue_Devils/DUKE/Duke Georgia_Bulldogs/UGA/Georgia
  Gonzaga_Bulldogs/GONZ/Gonzaga Kansas_Jayhawks/KU/Kansas Kansas_State_Wildcats/KSU/Kansas_State
  Kentucky_Wildcats/UK/Kentucky Miami_Hurricanes/MIA/Miami Miami_(OH)_RedHawks/M-OH/Miami_(OH)
  Michigan_State_Spartans/MSU/Michigan_St Michigan_Wolverines/MICH/Michigan Mississippi_State_Bulldogs/MSST/Miss_St
  North_Carolina_Tar_Heels/UNC/North_Carolina Ohio_State_Buckeyes/OSU/Ohio_State
  South_Carolina_Gamecocks/SC/South_Carolina Texas_A&M_Aggies/TA&M/Texas_A&M Texas_Longhorns/TEX/Texas
  USC_Trojans/USC/USC`;

export interface FixtureTeam {
  readonly sport: string;
  readonly league: string;
  readonly ref: string;
  readonly name: string;
  readonly abbreviation: string;
  readonly short_name?: string;
  readonly city?: string;
}

const rowsOf = (text: string): (readonly string[])[] =>
  text
    .trim()
    .split(/\s+/)
    .map((row) => row.split('/').map((part) => part.replaceAll('_', ' ')));

const placed: FixtureTeam[] = Object.entries(PLACED).flatMap(([sport, text]) =>
  rowsOf(text).map(([city, nickname, abbreviation]) => ({
    sport,
    league: sport,
    ref: `${sport}-${abbreviation}`,
    name: `${city} ${nickname}`,
    abbreviation: abbreviation!,
    short_name: nickname!,
    city: city!,
  })),
);
const clubsOf = (sport: string, league: string, text: string): FixtureTeam[] =>
  rowsOf(text).map(([name, abbreviation, short_name]) => ({
    sport,
    league,
    ref: `${league}-${abbreviation}`,
    name: name!,
    abbreviation: abbreviation!,
    ...(short_name === undefined ? {} : { short_name }),
  }));

/** Nearly all teams of the professional leagues, and some colleges. */
export const TEAMS: readonly FixtureTeam[] = [
  ...placed,
  { sport: 'mlb', league: 'mlb', ref: 'mlb-ATH', name: 'Athletics', abbreviation: 'ATH', short_name: 'Athletics' },
  ...Object.entries(CLUBS).flatMap(([league, text]) => clubsOf('soccer', league, text)),
  ...['ncaaf', 'ncaab'].flatMap((sport) => clubsOf(sport, sport, COLLEGES)),
];

export const teamMessages = (teams: readonly FixtureTeam[]): Message[] =>
  teams.map((team) => ({ kind: 'team', source: 'feed', at: '2026-03-01T11:00:00Z', ...team }));
