import { knownFlags } from './server-flags.mjs';

console.log(knownFlags(process.allowedNodeEnvironmentFlags).join(' '));
