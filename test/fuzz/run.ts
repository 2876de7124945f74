// `npm run fuzz -- <seed> <seconds>`: the fuzz of the API and the fuzz of the live channel, at the same time.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const [seed, seconds] = process.argv.slice(2).map(Number);
if (!Number.isInteger(seed) || !(Number(seconds) > 0)) {
  console.error('Usage: npm run fuzz -- <seed> <seconds>');
  process.exit(2);
}
const env = { ...process.env, FUZZ_SEED: String(seed), FUZZ_SECONDS: String(seconds) };
const files = globSync('test/fuzz/*.test.ts').sort();
const { status } = spawnSync(process.execPath, ['test/run.ts', ...files], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
