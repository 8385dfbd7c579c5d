/** Invented clubs of the soccer leagues, and nations that are in no atlas: name, town, abbreviation. */
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
