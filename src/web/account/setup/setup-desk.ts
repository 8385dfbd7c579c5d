import type { SettingChanges, SettingSource } from '../../../platform/settings/stored-settings.ts';
import type { VariableName } from '../../../platform/settings/variables.ts';

/** A setting as the pages show it. */
export interface ShownSetting {
  /** As given; undefined: it is unset, or a secret. */
  readonly text: string | undefined;
  readonly isSet: boolean;
  readonly source: SettingSource;
}

/** What the setup does outside of the pages: to the settings of the data folder, and to the server. */
export interface SetupDesk {
  /** By which somebody from another machine becomes the owner; another one at each start. */
  readonly code: string;
  /** Whether nothing but the demo had fed the folder when the server started. */
  readonly isNew: boolean;
  /** The path of `settings.json`. */
  readonly file: string;
  setting(name: VariableName): ShownSetting;
  /** @throws RefusedError with the field of the setting, which has its name */
  change(changes: SettingChanges): void;
  /** The settings that were changed since the start, and wait for the next one. */
  waiting(): readonly VariableName[];
  /**
   * Writes a file to where the backup would go with these changes, reads it and removes it.
   * @throws RefusedError that says what went wrong
   */
  testBackup(changes: SettingChanges): Promise<void>;
  /** Sends a mail as with these changes, and resolves when the mail server has taken it. @throws RefusedError */
  testMail(changes: SettingChanges, to: string): Promise<void>;
  /** A new BACKUP_KEY. */
  newBackupKey(): string;
  /** Whether the folder needs a BACKUP_KEY for a backup: its secrets are its own. */
  readonly needsBackupKey: boolean;
  /** The BACKUP_KEY that is kept, for its owner to note. */
  backupKey(): string | undefined;
  /** Somebody has become the owner, and chooses the settings for an hour. */
  begin(email: string): void;
  /** Whether this person chooses the settings now. */
  isChosenBy(email: string): boolean;
  finish(): void;
  /** Whether the demo's games could go without anything else: nobody but the owner has a key or an account. */
  canRemoveDemo(): Promise<boolean>;
  /** Whether the next start removes what the demo has fed. */
  readonly removesDemo: boolean;
  removeDemo(isWanted: boolean): void;
  /** Stops the server, and starts it again in the same process, with the settings as they are then. */
  restart(): void;
}
