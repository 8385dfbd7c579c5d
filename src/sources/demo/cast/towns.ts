/** Invented towns of the demo's teams: none of them is on a map. Abbreviations are unique. */
export interface Town {
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
