// The tree in ARCHITECTURE.md names every folder of the source, two levels deep, and no others.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';

/** Returns the paths in an indented tree. A line may contain several names, and a comment after two spaces. */
function foldersOf(tree: string): string[] {
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const names = [...line.matchAll(/([\w-]+)\/(?=\s|$)/g)].map(([, name]) => name as string);
    if (names.length === 0) return [];
    const depth = (line.length - line.trimStart().length) / 2;
    path.length = depth;
    const paths = names.map((name) => [...path, name].join('/'));
    path[depth] = names.at(-1) as string;
    return paths;
  });
}

test('the tree of ARCHITECTURE.md names the folders of the source', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const tree = text.match(/<!-- folders -->\n```\n(.*?)\n```\n<!-- \/folders -->/s)?.[1] ?? '';
  const folders = globSync('src/*/**/*.*')
    .map((path) => dirname(path).split('/').slice(0, 3).join('/'))
    .flatMap((path) => [path, dirname(path)])
    .filter((path) => path.startsWith('src/') && !path.endsWith('/migrations'));
  assert.deepEqual(
    foldersOf(tree)
      .filter((folder) => folder !== 'src')
      .sort(),
    [...new Set(folders)].sort(),
  );
});
