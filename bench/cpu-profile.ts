// CPU profiles of a running process, and who the time of their samples belongs to.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

const INSPECTOR = 'http://127.0.0.1:9229';

interface Frame {
  functionName: string;
  url: string;
}
interface ProfileNode {
  id: number;
  callFrame: Frame;
  children?: number[];
}
export interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

/** Opens the inspector of a running process; returns a function that sends it a command. */
export async function inspect(pid: number) {
  process.kill(pid, 'SIGUSR1');
  await sleep(500);
  const [target] = (await (await fetch(`${INSPECTOR}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
  await new Promise((resolve) => socket.once('open', resolve));
  let commands = 0;
  const send = (method: string, params: object = {}): Promise<{ profile: Profile }> => {
    const id = ++commands;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => {
      const read = (text: Buffer) => {
        const answer = JSON.parse(text.toString());
        if (answer.id !== id) return;
        socket.off('message', read);
        resolve(answer.result);
      };
      socket.on('message', read);
    });
  };
  // A process does not exit while an inspector is connected.
  return { send, close: () => socket.close() };
}

/** Returns the owner of a frame, or undefined if its time belongs to its caller's. */
type OwnerOf = (frame: Frame) => string | undefined;

const SOCKETS = 'Node: sockets, timers';

const ofRuntime = ({ functionName }: Frame): string | undefined => {
  if (functionName === '(garbage collector)') return 'garbage collection';
  return functionName === '(idle)' ? 'idle' : undefined;
};
const packageOf = ({ url }: Frame): string | undefined =>
  /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];

/** A package, or a folder of the platform. */
export const partOf: OwnerOf = (frame) => {
  const ofPlatform = /\/src\/((?:kernel|modules|gateway)\/[^/]+)/.exec(frame.url);
  return ofRuntime(frame) ?? packageOf(frame) ?? (ofPlatform ? `src/${ofPlatform[1]}` : undefined);
};

/** The layers of a request, by the packages and source files that make them up; the first that fits counts. */
const LAYERS: [string, RegExp][] = [
  [
    'log',
    /\/node_modules\/(pino|sonic-boom|thread-stream|quick-format|safe-stable)|\/gateway\/http\/access-log/,
  ],
  ['driver', /\/node_modules\/(pg|postgres)|\/kernel\/database\//],
  ['limit', /\/gateway\/limits\//],
  ['authenticate', /\/gateway\/(authentication|keys\/)|\/modules\/identity\/|\/node_modules\/jose/],
  [
    'validate',
    /\/node_modules\/(@sinclair\/typebox|typebox|ajv)|\/kernel\/operations\/(validation|shapes|unnamed-fields)/,
  ],
  ['serialize', /\/node_modules\/fast-json-stringify|\/gateway\/http\/(envelope|compression)/],
  [
    'measure and trace',
    /\/kernel\/(spans|trace)|\/kernel\/net\/tracing|\/gateway\/(metrics|request\.metrics)|\/node_modules\/prom-client/,
  ],
  ['parse and route', /\/node_modules\/(fastify|find-my-way|secure-json-parse|light-my-request)|\/gateway\//],
  ['rules', /\/modules\//],
  ['events and jobs', /\/kernel\/messaging\/|\/node_modules\/pg-boss/],
];

/** The layer of a request. */
export const layerOf: OwnerOf = (frame) =>
  ofRuntime(frame) ?? LAYERS.find(([, files]) => files.test(frame.url))?.[0];

/** Returns the share of each owner in the CPU of a profile; the time of other frames counts for their callers. */
export function sharesBy(ownerOf: OwnerOf, { nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const node = new Map(nodes.map((one) => [one.id, one]));
  const parent = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const owners = new Map<number, string>();
  const find = (id: number | undefined): string => {
    if (id === undefined) return SOCKETS;
    const cached = owners.get(id);
    if (cached) return cached;
    const owner = ownerOf((node.get(id) as ProfileNode).callFrame) ?? find(parent.get(id));
    owners.set(id, owner);
    return owner;
  };
  const sums = new Map<string, number>();
  samples.forEach((id, place) => {
    const owner = find(id);
    sums.set(owner, (sums.get(owner) ?? 0) + (timeDeltas[place] ?? 0));
  });
  sums.delete('idle');
  const whole = [...sums.values()].reduce((sum, us) => sum + us, 0);
  return new Map([...sums].map(([owner, us]) => [owner, us / whole] as const).sort((a, b) => b[1] - a[1]));
}
