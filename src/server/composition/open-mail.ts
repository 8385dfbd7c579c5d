import { mailFolder } from '../../platform/data-folder/folder-paths.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import { chooseMailer } from '../../platform/mail/mailers.ts';
import { createOutbox, type RunningOutbox } from '../../platform/mail/outbox.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';

interface MailParts {
  readonly ports: Pick<Ports, 'mailQueue'>;
  readonly settings: Pick<Config, 'smtpUrl' | 'mailFrom'>;
  readonly secrets: Pick<Secrets, 'box'>;
  readonly environment: Pick<Environment, 'setTimer' | 'randomBytes' | 'logger'>;
  /** The clock of the ports. */
  readonly now: () => number;
  readonly baseUrl: () => string;
  /** The data folder; absent: no file is written on this machine. */
  readonly folder: string | undefined;
  /** Whether other processes share the registry. */
  readonly isShared: boolean;
  /** Nothing is sent: another server sends the same mails. */
  readonly isStandby?: boolean | undefined;
  /** For tests. */
  readonly mailer?: Mailer | undefined;
}

export interface OpenedMail extends RunningOutbox {
  /** Logs where mails go. Called after the start: a server that cannot start prints one line only. */
  tell(): void;
}

/** Opens the outbox and starts sending. */
export function openMail(parts: MailParts): OpenedMail {
  const { ports, settings, secrets, environment, now, baseUrl, folder, isShared } = parts;
  const { logger: log, setTimer, randomBytes } = environment;
  const mailer =
    parts.mailer ??
    chooseMailer({
      smtpUrl: settings.smtpUrl,
      from: settings.mailFrom,
      baseUrl,
      now,
      log,
      folder: folder === undefined ? undefined : mailFolder(folder),
    });
  const outbox = createOutbox({ queue: ports.mailQueue, mailer, box: secrets.box, now, setTimer, randomBytes, log });
  if (!parts.isStandby) outbox.start();
  return {
    ...outbox,
    tell() {
      if (mailer) log.info({}, mailer.description);
      else if (isShared) log.warn({}, 'SMTP_URL is unset: mails are kept in the registry, and leave when it is set');
    },
  };
}
