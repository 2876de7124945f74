// Tests call operations by their types. What is left of untyped answers is counted, so that it only becomes less.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { parse, walk } from '../support/sql-texts.ts';

/** Lower these with each file that is moved to typed calls; only hostile requests are to remain untyped. */
const MAX_LOOSE = 32;
const MAX_UNTYPED_REQUESTS = 32;

const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Whether a node is `client.get(...)`: a request by its path. */
const isUntypedRequest = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  VERBS.has(node.expression.name.text) &&
  /(client|admin|keyed|service|stranger|anonymous)$/i.test(node.expression.expression.getText());

test('no test is added that reads untyped answers', () => {
  let loose = 0;
  let untyped = 0;
  for (const path of globSync(['src/**/*.test.ts', 'test/**/*.ts'])) {
    loose += readFileSync(path, 'utf8').match(/\bLoose\b/g)?.length ?? 0;
    walk(parse(path), (node) => {
      if (isUntypedRequest(node)) untyped++;
    });
  }
  assert.ok(loose <= MAX_LOOSE, `${loose} uses of Loose`);
  assert.ok(untyped <= MAX_UNTYPED_REQUESTS, `${untyped} untyped requests`);
});
