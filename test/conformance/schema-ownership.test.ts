// Each module owns the database schema of its name, and no other module reads or writes it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { parse, placeOf, walk } from '../support/sql-texts.ts';

/** Migrations that copy an installation's rows once from the tables of another module, if these exist. */
const CARRYING_OVER = [
  'src/modules/moderation/migrations/0002-reports-of-messages.sql',
  'src/modules/educators/migrations/0003-follows-of-blocked-educators.sql',
];

const schemas = [
  'gateway',
  'kernel',
  ...globSync('src/modules/*/migrations').map((path) => path.split('/')[2] as string),
];
const QUALIFIED = new RegExp(`(?<![\\w.$])(${schemas.join('|')})\\.[a-z_]+`, 'g');

/** The schema that belongs to the folder of a file. */
const ownSchema = (path: string): string => path.match(/^src\/modules\/([^/]+)\//)?.[1] ?? 'gateway';

/** Returns the qualified names in a text that belong to neither the file's module nor the kernel. */
const foreignNames = (path: string, text: string): string[] =>
  [...text.matchAll(QUALIFIED)]
    .filter(([, schema]) => schema !== ownSchema(path) && schema !== 'kernel')
    .map(([name]) => name);

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

/** Whether a text is the name of a statement, such as `wallet.transfers`, which looks like a table. */
const isStatementName = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) &&
  node.parent.expression.getText() === 'statement' &&
  node.parent.arguments[0] === node;

test('a store or a seed names only tables of its own module and of the kernel', () => {
  const faults: string[] = [];
  const stores = globSync('src/**/*.{store,seed}.ts');
  assert.ok(stores.length > 50, `only ${stores.length} stores were found`);
  for (const path of stores) {
    const file = parse(path);
    walk(file, (node) => {
      if (!isText(node) || isStatementName(node)) return;
      for (const name of foreignNames(path, node.text)) faults.push(`${placeOf(file, node)}: ${name}`);
    });
  }
  assert.deepEqual(faults, []);
});

test('a migration touches only tables of its own module and of the kernel', () => {
  const faults = globSync('src/{gateway,modules/*}/migrations/*.sql')
    .filter((path) => !CARRYING_OVER.includes(path))
    .flatMap((path) => {
      const code = readFileSync(path, 'utf8').replaceAll(/--.*$/gm, '');
      return foreignNames(path, code).map((name) => `${basename(path)}: ${name}`);
    });
  assert.deepEqual(faults, []);
});

/** What PostgreSQL understands only since a version after 15, which installations may have. */
const TOO_NEW =
  /\breturning\b[^;)]*?[\s,(](old|new)\.[a-z]|\b(any_value|json_table|json_array|json_object|uuidv7)\s*\(/i;
/\breturning\b[^;]*?\b(old|new)\.[a-z]|\b(any_value|json_table|json_array|json_object|uuidv7)\s*\(/i;

test('no statement needs more than PostgreSQL 15', () => {
  const faults = globSync('src/**/*.{ts,sql}')
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      if (path.endsWith('.sql')) return TOO_NEW.test(readFileSync(path, 'utf8')) ? [path] : [];
      const file = parse(path);
      const found: string[] = [];
      walk(file, (node) => {
        if (isText(node) && TOO_NEW.test(node.text)) found.push(placeOf(file, node));
      });
      return found;
    });
  assert.deepEqual(faults, []);
});
