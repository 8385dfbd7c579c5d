import { actionNetworkImporter } from './action-network/importer.ts';
import { espnImporter } from './espn/importer.ts';
import { footballDataImporter } from './football-data/importer.ts';
import type { Importer } from './importer.ts';
import { nflverseImporter } from './nflverse/importer.ts';
import { tennisDataImporter } from './tennis-data/importer.ts';
import { theOddsApiImporter } from './the-odds-api/importer.ts';

/** Every provider whose files can be imported. */
export const IMPORTERS: readonly Importer[] = [
  actionNetworkImporter,
  espnImporter,
  footballDataImporter,
  nflverseImporter,
  tennisDataImporter,
  theOddsApiImporter,
];
