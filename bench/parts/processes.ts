// Do several processes that post to the same wallets reach what one reaches alone?
import { drain } from '../backlog.ts';
import type { Variant } from '../paired.ts';
import { loadOnce, type Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

const CONNECTIONS = 33;

export async function processes(scene: Scene): Promise<Row[]> {
  const { fixture, requests } = scene;
  const all = [fixture, await fixture.startAnother(), await fixture.startAnother()];
  const through = (servers: typeof all, next: () => Buffer): Variant => ({
    run: () =>
      loadOnce(
        servers.map(({ url }) => url),
        CONNECTIONS,
        next,
      ),
    serverPid: servers.map(({ pid }) => pid),
    after: async () => void (await drain(scene)),
  });
  const turns = await scene.interleave('several processes', {
    'one wallet, one process': through([fixture], requests.transferToHot),
    'one wallet, three processes': through(all, requests.transferToHot),
    'random wallets, one process': through([fixture], requests.uniformTransfer),
    'random wallets, three processes': through(all, requests.uniformTransfer),
  });
  return [
    compared({
      what: 'transfers to one wallet, three processes',
      ours: turns['one wallet, three processes'],
      limit: turns['one wallet, one process'],
      limitName: 'one process',
      target: 0.9,
    }),
    compared({
      what: 'transfers among random wallets, three processes',
      ours: turns['random wallets, three processes'],
      limit: turns['random wallets, one process'],
      limitName: 'one process',
      target: 1,
    }),
  ];
}
