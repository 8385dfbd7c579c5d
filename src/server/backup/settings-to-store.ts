import { readStoredSettings, type StoredSettings } from '../../platform/settings/stored-settings.ts';
import { isVariable, redactGiven } from '../../platform/settings/variables.ts';

/** What a backup holds of the settings that the folder keeps. */
export interface BackedUpSettings {
  /** By the names of their variables. */
  readonly settings: StoredSettings;
  /** The names of those that are secret, and are not in a backup without a key. */
  readonly hidden: readonly string[];
}

/** @returns undefined while the file cannot be read: the next start says what is wrong with it */
export function settingsToStore(folder: string, hasKey: boolean): BackedUpSettings | undefined {
  let kept: StoredSettings;
  try {
    kept = readStoredSettings(folder);
  } catch {
    return undefined;
  }
  const entries = Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1));
  const isHidden = ([name, text]: (typeof entries)[number]) =>
    !hasKey && isVariable(name) && redactGiven(name, text) !== text;
  return {
    settings: Object.fromEntries(entries.filter((entry) => !isHidden(entry))),
    hidden: entries.filter(isHidden).map(([name]) => name),
  };
}

/** The content of `settings.json`. */
export const settingsText = (settings: StoredSettings): string => `${JSON.stringify(settings, null, 2)}\n`;
