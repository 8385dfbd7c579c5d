import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';

export const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
const exec = promisify(execFile);

/** The program of this name; undefined: this machine does not have it. */
export const toolNamed = (name: string): string | undefined =>
  FOLDERS.map((folder) => resolve(folder, name)).find((file) => existsSync(file));

/** What a tool says, on both outputs, and how it ends. */
export async function said(
  tool: string,
  args: readonly string[],
  cwd?: string,
): Promise<{ code: number; text: string }> {
  type Ended = { readonly code?: number; readonly stdout: string; readonly stderr: string };
  const run: Promise<Ended> = exec(tool, args, { cwd, maxBuffer: 16 * 1024 * 1024 });
  const { code = 0, stdout, stderr } = await run.catch((error: Ended) => error);
  return { code, text: stdout + stderr };
}

/** A certificate for this name, which nobody has signed. */
export function certificateFor(name: string, folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [resolve(folder, 'certificate.pem'), resolve(folder, 'key.pem')];
  const forTest = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', [...forTest, '-subj', `/CN=${name}`, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
