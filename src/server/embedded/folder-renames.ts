import { RESULTS_RENAMES } from '../../forecasting/learning/sqlite-results-store.ts';
import type { StoredRename } from '../../platform/sql/stored-rename.ts';
import { RENAMES } from '../composition/registry.ts';

/** Every table and column of a data folder that an earlier version stored under another name. */
export const FOLDER_RENAMES: readonly StoredRename[] = [...RENAMES, ...RESULTS_RENAMES];
