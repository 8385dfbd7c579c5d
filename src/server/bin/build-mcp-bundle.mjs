import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PACKER = join(ROOT, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
/** Until a server fills in its own. */
const DEFAULT_URL = 'http://localhost:3000';

/**
 * Packs the proxy for clients that install bundles. Without the packer, a development dependency, there is none.
 * @param folder where it goes
 * @param writeManifest writes `manifest.json` into a folder
 */
export async function buildMcpBundle(folder, writeManifest) {
  if (!existsSync(PACKER)) return;
  const { build } = await import('esbuild');
  const content = mkdtempSync(join(tmpdir(), 'll-bundle-'));
  try {
    mkdirSync(join(content, 'server'));
    await build({
      absWorkingDir: ROOT,
      entryPoints: ['src/api/mcp-proxy/bundle-main.ts'],
      outfile: join(content, 'server/index.mjs'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      logLevel: 'silent',
    });
    writeManifest(content, DEFAULT_URL);
    // It tells on standard output what it does, which belongs to whatever command this build is for.
    execFileSync(process.execPath, [PACKER, 'pack', content, join(folder, 'ledgerline.mcpb')], { stdio: 'pipe' });
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
}
