/** What the folder holds. @param events how many sports events. @param head position of the log's last record */
export function contentsText(folder: string, events: number, head: bigint | null): string {
  if (head === null) return `data folder ${folder}: empty`;
  return `data folder ${folder}: ${events} sports events, log position ${head}`;
}

export const moreKeysText = (): string => 'another API key: npm run -s keys -- create --name NAME';

/** For a folder without a key: one is made, and shown this once. */
export function firstStepsText(baseUrl: string, key: string, empty: boolean): string {
  const curl = (path: string) => `  curl -H 'Authorization: Bearer ${key}' '${baseUrl}${path}'`;
  const lines = [
    '',
    'An API key has been made, and is shown only now:',
    `  ${key}`,
    '',
    'Three requests to try:',
    curl('/v1/health'),
    curl('/v1/sports'),
    curl('/v1/events?limit=5'),
  ];
  if (empty) {
    lines.push(
      '',
      'Nothing is known of any sport yet. Bring in what a provider publishes, beside this server:',
      '  npm run -s import -- --help',
      '  npm run -s import -- nflverse games.csv',
    );
  }
  return lines.concat('').join('\n');
}
