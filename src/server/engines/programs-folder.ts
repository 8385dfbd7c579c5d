import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where engines' programs are that were fetched: `ENGINES_DIR`, else a folder of the user who runs this process. */
export const programsFolder = (environment: Readonly<Record<string, string | undefined>> = process.env): string =>
  environment['ENGINES_DIR'] || join(homedir(), '.cache', 'ledgerline', 'engines');
