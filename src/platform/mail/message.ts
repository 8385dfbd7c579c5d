import type { Mail } from './mail.ts';
import type { MailAddress } from './sender.ts';

/** A mail as nodemailer takes it. Names and addresses are never parsed out of text, and nothing is fetched or read. */
export const messageOf = ({ to, subject, text }: Mail, id: string, from: MailAddress) => ({
  from: { ...from },
  to: { name: '', address: to },
  subject,
  text,
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  // Answering machines leave it alone.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
