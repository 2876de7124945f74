// The live channel beside plain ws with one prepared frame (the limit) and socket.io (the peer), in the same rounds.
// `npm run bench:live` runs both parts, `npm run bench:live -- connections` one of them. BENCH_ROUNDS,
// BENCH_CONNECTIONS (per turn), BENCH_SIZES (members of the room) and BENCH_DELIVERIES (per measurement) set its
// length. On two idle cores.
import { startLiveScene } from './live-scene.ts';
import { liveConnections } from './parts/live-connections.ts';
import { liveDeliveries } from './parts/live-deliveries.ts';

const PARTS = { connections: liveConnections, deliveries: liveDeliveries };
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => name in PARTS;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !isPart(name));
if (unknown.length > 0) {
  console.error(`no part is called ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}
const scene = await startLiveScene();
try {
  for (const name of named.length > 0 ? named.filter(isPart) : (Object.keys(PARTS) as Part[]))
    console.table(await PARTS[name](scene));
} finally {
  await scene.stop();
}
