/** Names of invented teams, one for each of the towns, in their order. */
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
