import { randomBytes } from 'node:crypto';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { HOUR } from '../../domain/primitives/time.ts';
import { settingsFile } from '../../platform/data-folder/folder-paths.ts';
import { chooseMailer } from '../../platform/mail/mailers.ts';
import { readConfig } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import {
  changeStoredSettings,
  checkChanges,
  needsRestart,
  readStoredSettings,
  type SettingChanges,
  sourceOf,
} from '../../platform/settings/stored-settings.ts';
import { isVariable, redactGiven } from '../../platform/settings/variables.ts';
import { DEMO_SOURCE } from '../../sources/demo/demo-day.ts';
import type { SetupDesk } from '../../web/account/setup/setup-desk.ts';
import { assertBackupPossible, assertBackupSettings } from '../backup/backup-work.ts';
import type { Ports } from '../composition/ports.ts';
import { createSetupCode } from './setup-code.ts';
import { readSetupState, writeSetupState } from './setup-state.ts';
import { testBackupTarget } from './test-backup.ts';

/** How long the owner may choose the settings in the browser. */
const CHOOSING_MS = HOUR;
/** Of the keys that the demo has. */
const DEMO_KEY = 'demo';

/** What starts a server that can be set up in the browser. */
export interface SetupStart {
  /** What wins over `settings.json`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stops the server, and starts it again. */
  readonly restart: () => void;
}

interface SetupParts extends SetupStart {
  /** The data folder. */
  readonly folder: string;
  readonly ports: Pick<Ports, 'identities' | 'keys' | 'clock'>;
  readonly baseUrl: () => string;
  /** Whether anybody but this person has an account. */
  readonly hasOtherUsers: () => Promise<boolean>;
}

/** The setup of a server on a data folder. */
export async function openSetup(parts: SetupParts): Promise<SetupDesk> {
  const { env, folder, ports, baseUrl } = parts;
  const { now } = ports.clock;
  const atStart = readStoredSettings(folder);

  /** As of the next start with these changes. */
  function configWith(changes: SettingChanges) {
    const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
    return readConfig({ ...checkChanges(folder, changes, env), ...given }, folder);
  }

  function refusing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw refusalOf(error);
    }
  }

  return {
    code: createSetupCode(randomBytes),
    isNew: !(await ports.identities.hasOtherSources(DEMO_SOURCE)),
    file: settingsFile(folder),
    setting(name) {
      const stored = readStoredSettings(folder);
      const source = sourceOf(name, stored, env);
      const text = source === 'environment' ? env[name]!.trim() : stored[name];
      const isHidden = text !== undefined && redactGiven(name, text) !== text;
      return { text: isHidden ? undefined : text, isSet: text !== undefined, source };
    },
    change: (changes) =>
      refusing(() => {
        assertBackupSettings(folder, Object.keys(changes), checkChanges(folder, changes, env), env);
        changeStoredSettings(folder, changes, env);
      }),
    waiting() {
      const stored = readStoredSettings(folder);
      const names = [...new Set([...Object.keys(stored), ...Object.keys(atStart)])].filter(isVariable);
      const isWaiting = (name: (typeof names)[number]) => needsRestart(name) && stored[name] !== atStart[name];
      return names.filter((name) => isWaiting(name) && sourceOf(name, stored, env) !== 'environment').sort();
    },
    async testBackup(changes) {
      const config = refusing(() => configWith(changes));
      if (!config.backup) return;
      try {
        assertBackupPossible(folder, config, config.backup);
        await testBackupTarget(config.backup.address);
      } catch (error) {
        throw invalidField('backup', `The backup was tried, and did not work: ${reasonOf(error)}`);
      }
    },
    async testMail(changes, to) {
      const { smtpUrl, mailFrom: from } = refusing(() => configWith(changes));
      const log = { info() {} };
      const mailer = smtpUrl && chooseMailer({ smtpUrl, from, baseUrl, folder: undefined, now, log });
      if (!mailer) return;
      const text = `This server can send mail: ${baseUrl()} has sent this to try its settings.\n\n-- \nLedgerline\n`;
      try {
        const id = randomBytes(16).toString('hex');
        await mailer.send({ to, subject: 'Mail from your Ledgerline server', text }, id);
      } catch (error) {
        throw invalidField('mail', `The mail server did not take the mail: ${reasonOf(error)}`);
      }
    },
    newBackupKey: () => randomBytes(32).toString('base64'),
    get needsBackupKey() {
      const { keyPepper, sessionSecret } = configWith({});
      return keyPepper === undefined || sessionSecret === undefined;
    },
    backupKey: () => readStoredSettings(folder).BACKUP_KEY,
    begin: (email) => writeSetupState(folder, { email, until: now() + CHOOSING_MS, removesDemo: false }),
    isChosenBy(email) {
      const state = readSetupState(folder);
      return state !== undefined && state.email === email && now() < state.until;
    },
    finish() {
      const state = readSetupState(folder);
      // What was asked of the next start still stands.
      if (state) writeSetupState(folder, state.removesDemo ? { ...state, until: 0 } : undefined);
    },
    async canRemoveDemo() {
      if (await ports.identities.hasOtherSources(DEMO_SOURCE)) return false;
      if (await parts.hasOtherUsers()) return false;
      return (await ports.keys.list()).every(({ name }) => name === DEMO_KEY);
    },
    get removesDemo() {
      return readSetupState(folder)?.removesDemo ?? false;
    },
    removeDemo(isWanted) {
      const state = readSetupState(folder);
      if (state) writeSetupState(folder, { ...state, removesDemo: isWanted });
    },
    restart: parts.restart,
  };
}

/** The first line of an error, without secrets: those of the mail client name none. */
const reasonOf = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')[0]!
    .slice(0, 300);

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ConfigError)) return error;
  const { variable, problem } = error;
  const message = `${variable} ${problem}`;
  return isVariable(variable) ? invalidField(variable, message) : new RefusedError(422, message);
}
