// Prints the platform's figures beside the limits measured in the same rounds, and the ratios. On two idle cores. `npm
// run bench` runs all parts, `npm run bench -- transfers mixed` the named ones. `BENCH_ROUNDS` and `BENCH_SECONDS` (per
// turn) default to 5 and 3.
import { balances } from './parts/balances.ts';
import { million } from './parts/million.ts';
import { mixed } from './parts/mixed.ts';
import { passkeys } from './parts/passkeys.ts';
import { processes } from './parts/processes.ts';
import { signIns } from './parts/sign-ins.ts';
import { transfers } from './parts/transfers.ts';
import { type Scene, startScene } from './scene.ts';
import type { Row } from './table.ts';

const PARTS: Record<string, (scene: Scene) => Promise<Row[]>> = {
  balances,
  'sign-ins': signIns,
  passkeys,
  transfers,
  mixed,
  million,
  processes,
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}
const scene = await startScene();
try {
  for (const name of named.length > 0 ? named : Object.keys(PARTS)) console.table(await PARTS[name]?.(scene));
} finally {
  await scene.stop();
}
