// How many clients can connect per second, as after a restart? Clients of the platform sign in and subscribe to a room.
import { type Farm, KINDS, type Kind, type LiveScene, type LiveServer } from '../live-scene.ts';
import { interleave, type Variant } from '../paired.ts';
import { compared, type Row } from '../table.ts';

const COUNT = Number(process.env.BENCH_CONNECTIONS ?? 3_000);

export async function liveConnections(scene: LiveScene): Promise<Row[]> {
  const servers = new Map<Kind, LiveServer>();
  for (const kind of KINDS) servers.set(kind, await scene.startServer(kind));
  const ours = servers.get('ours') as LiveServer;

  /** One turn: this many clients connect, as these members in turns. */
  function variant(server: LiveServer, members = 0): Variant {
    let farm: Farm | undefined;
    let tokens: string[] = [];
    return {
      before: async () => {
        // New tokens, because the server caches verified ones.
        tokens = members > 0 ? await ours.tokensOf(members) : [];
        farm = await scene.startFarm();
      },
      run: async () => {
        const { connectedMs, ...latencies } = await (farm as Farm).connect(
          { ...server.target, tokens },
          COUNT,
        );
        return { perSecond: COUNT / (connectedMs / 1000), answered: COUNT, ...latencies };
      },
      after: async () => {
        await farm?.stop();
        await server.empty();
      },
      serverPid: server.pid,
      generatorPid: () => farm?.pid as number,
      stopped: server === ours ? [] : [ours.pid],
    };
  }

  try {
    const turns = await interleave(
      {
        'all of one member': variant(ours, 1),
        'each of a different member': variant(ours, COUNT),
        ws: variant(servers.get('ws') as LiveServer),
        'socket.io': variant(servers.get('socket.io') as LiveServer),
      },
      { postmasterPid: scene.postmasterPid, title: `${COUNT} connections` },
    );
    return (['all of one member', 'each of a different member'] as const).flatMap((members) =>
      (['socket.io', 'ws'] as const).map((limitName) =>
        compared({
          what: `${COUNT} connections, ${members}`,
          ours: turns[members],
          limit: turns[limitName],
          limitName,
          ...(limitName === 'socket.io' ? { target: 0.8 } : {}),
        }),
      ),
    );
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}
