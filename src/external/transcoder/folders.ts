import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from './confinement.ts';

/** Folder for large files; `/tmp` is often in memory. */
const LARGE = '/var/tmp';
const NAME = 'platform-api-media';
/** Space for a source, its renditions, and a reserve for other programs. */
const ROOM_FACTOR = 2.5;
const OLD_MS = 60 * 60 * 1000;
const VERY_OLD_MS = 26 * OLD_MS;

/** Manages work folders, one per source, below a root that all processes of the machine share. */
export function workFolders(given: string | undefined) {
  let ready: Promise<string> | undefined;

  function root(): Promise<string> {
    ready ??= (async () => {
      const parent = given ?? (await stat(LARGE).then(() => LARGE, tmpdir));
      const path = given ?? join(parent, `${NAME}-${process.getuid?.() ?? 0}`);
      await mkdir(path, { recursive: true });
      const found = await stat(path);
      if (found.uid !== process.getuid?.() && process.platform !== 'win32')
        throw new Error(`${path} belongs to another user`);
      // Other users can traverse but not list it, as required by programs that run as another user.
      await chmod(path, 0o711);
      return path;
    })();
    ready.catch(() => {
      ready = undefined;
    });
    return ready;
  }

  return {
    root,
    async open({ account }: Confinement) {
      const path = await mkdtemp(join(await root(), `${process.pid}-`));
      if (account) {
        await chmod(path, 0o750);
        await chown(path, process.getuid?.() ?? 0, account.gid);
      }
      return {
        path,
        async partFolder(name: string): Promise<string> {
          const folder = join(path, name);
          await mkdir(folder, { mode: 0o700 });
          if (account) await chown(folder, account.uid, account.gid);
          return folder;
        },
        remove: () => rm(path, { recursive: true, force: true }),
      };
    },
    /** Removes folders left by processes that have ended. */
    async sweep(): Promise<void> {
      for (const name of await readdir(await root())) {
        const path = join(await root(), name);
        const found = await stat(path).catch(() => undefined);
        if (!found) continue;
        const ageMs = Date.now() - found.mtimeMs;
        const pid = Number(/^(\d+)-/.exec(name)?.[1]);
        // The process id may have been reused.
        if (ageMs > VERY_OLD_MS || (ageMs > OLD_MS && !isAlive(pid)))
          await rm(path, { recursive: true, force: true });
      }
    },
    async hasRoomFor(bytes: number): Promise<boolean> {
      const { bavail, bsize } = await statfs(await root());
      return bavail * bsize > bytes * ROOM_FACTOR;
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
