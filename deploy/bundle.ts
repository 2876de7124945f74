// `npm run build`, and after `npm ci`: bundles the server into dist/server, from where `src/main.js` runs it until a source
// changes. A start then reads a few files instead of two thousand, which is half of its work and a fifth of its memory.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { currentBundle } from '../src/bundle.js';

/** A program for one kind of machine, and one that is not installed. */
const UNBUNDLED = ['@node-rs/argon2', 'pg-native'];

/** CommonJS packages among the bundled ones take it for granted. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

/** For so long files of former bundles stay, since running processes may not have loaded them yet. */
const KEPT_MS = 24 * 3600 * 1000;

/** Bundles the server of the project at `root`, unless its bundle is up to date. */
export async function bundleServer(root: string): Promise<void> {
  if (currentBundle(root)) return;
  const folder = join(root, 'dist/server');
  const beganMs = Date.now();
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    entryNames: '[name]-[hash]',
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: UNBUNDLED,
    banner: { js: REQUIRE },
    legalComments: 'none',
    plugins: [ownPlaces(folder), missingSources(folder), lazyPackages],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const entry = Object.keys(metafile.outputs).find((path) =>
    metafile.outputs[path]?.entryPoint?.endsWith('cli/main.ts'),
  );
  const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'));
  const inputs = [...sources, 'package-lock.json'].map((path) => inputOf(root, path));
  // One that was changed meanwhile may be bundled as it was before.
  if (inputs.some(({ mtimeMs }) => mtimeMs >= beganMs)) return;
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) write(path, contents);
  write(join(folder, 'bundle.json'), JSON.stringify({ entry: basename(entry as string), inputs }));
  removeFormer(folder, new Set(outputFiles.map(({ path }) => basename(path))));
}

/** In the bundle, too, `import.meta.url` is that of the source, so that sources find the files beside them. */
const ownPlaces = (folder: string): Plugin => ({
  name: 'own-places',
  setup(build) {
    build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const address = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
});

/** Installations for production have no seeds and stand-ins: there, too, only an import that is executed fails. */
const missingSources = (folder: string): Plugin => ({
  name: 'missing-sources',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path);
      return existsSync(source) ? undefined : { path: relative(folder, source), external: true };
    });
  },
});

/** Bundled, CommonJS packages would lack the names that Node finds in them when they are imported late. */
const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { external: true } : undefined,
    );
  },
};

function inputOf(root: string, path: string) {
  const { size, mtimeMs } = statSync(join(root, path));
  const hash = createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
  return { path, size, mtimeMs, hash };
}

/** Others may read the file at the same time, or write the same. */
function write(path: string, contents: Uint8Array | string): void {
  const written = `${path}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, path);
}

function removeFormer(folder: string, files: Set<string>): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path);
    if (!files.has(name) && Date.now() - mtimeMs > KEPT_MS) rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleServer(resolve(import.meta.dirname, '..')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.log('Without the development dependencies the server is not bundled, and runs from its sources.');
  });
}
