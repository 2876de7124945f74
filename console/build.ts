// `npm run build`: bundles the console into dist/console. Development bundles it in memory instead.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The files of the console by name. All but `index.html` are named after their content. */
export type ConsoleFiles = Map<string, Uint8Array>;

export async function bundleConsole(): Promise<ConsoleFiles> {
  const { outputFiles, metafile } = await build({
    entryPoints: [here('src/main.tsx')],
    entryNames: 'main-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: {
      '@platform-api/sdk/admin': here('../sdk/src/admin.ts'),
      '@platform-api/sdk': here('../sdk/src/index.ts'),
    },
    outdir: '/',
    metafile: true,
    write: false,
  });
  const files: ConsoleFiles = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  return files.set('index.html', Buffer.from(indexOf(metafile)));
}

/** Nothing is inline, as the policy of the page demands. */
function indexOf({ outputs }: Metafile): string {
  const entry = Object.entries(outputs).find(([, output]) => output.entryPoint?.endsWith('main.tsx'));
  if (!entry) throw new Error('The bundle has no entry');
  const [script, { cssBundle = '' }] = entry;
  const asset = (path: string): string => `/console/assets/${basename(path)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Console</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${asset(cssBundle)}">
<script type="module" src="${asset(script)}"></script>
</head>
<body><noscript>The console needs JavaScript.</noscript></body>
</html>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = here('../dist/console');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of await bundleConsole()) writeFileSync(join(folder, name), bytes);
}
