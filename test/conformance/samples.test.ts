// The samples of the reference: calls of the SDK compile, and commands of curl make requests that are accepted.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operationsAsMarkdown } from '../../src/gateway/openapi/markdown.ts';
import { type Sample, withSamples } from '../../src/gateway/openapi/samples.ts';
import {
  type ApiDescription,
  audienceOf,
  descriptions,
  type OperationObject,
} from '../support/descriptions.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'platform-samples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const description = withSamples(descriptions().api) as ApiDescription;
const described = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const sourceOf = (operation: OperationObject & { 'x-codeSamples'?: Sample[] }, lang: string) =>
  operation['x-codeSamples']?.find((one) => one.lang === lang)?.source;

test('every call of the SDK in the samples compiles', () => {
  const calls = described.flatMap(({ operation }) => sourceOf(operation, 'typescript') ?? []);
  assert.ok(calls.length > 250, `${calls.length} calls`);
  const program = [
    `import type { Client } from '${root}/sdk/src/index.ts';`,
    `import type { adminOf } from '${root}/sdk/src/admin.ts';`,
    'declare const api: Client;',
    'declare const admin: ReturnType<typeof adminOf>;',
    'declare const console: { log(value: unknown): void };',
    ...calls.map((call) => `{\n${call}\n}`),
  ];
  writeFileSync(join(folder, 'samples.ts'), program.join('\n'));
  const compilerOptions = {
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2022'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['samples.ts'] }));
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

/** Which environment variable of the samples holds which credential. */
const CREDENTIALS: Record<string, string> = {
  apiKey: 'X-API-Key: $API_KEY',
  bearer: 'Authorization: Bearer $ACCESS_TOKEN',
  internalKey: 'X-Internal-API-Key: $INTERNAL_API_KEY',
  webhookSignature: 'Stripe-Signature: $SIGNATURE',
  webhookSecret: 'X-Webhook-Secret: $WEBHOOK_SECRET',
};

/** Returns the arguments of each command, as the shell understands them. */
function argumentsOf(commands: string[]): string[][] {
  const variables = ['API_KEY', 'ACCESS_TOKEN', 'INTERNAL_API_KEY', 'SIGNATURE', 'WEBHOOK_SECRET'];
  const script = [
    "curl() { printf '%s\\0' \"$@\" $'\\n'; }",
    'uuidgen() { echo a-new-id; }',
    'BASE_URL=http://platform.test',
    ...variables.map((name) => `${name}='$${name}'`),
    ...commands,
  ].join('\n');
  const printed = execFileSync('bash', ['-euc', script], { encoding: 'utf8' });
  return printed
    .split('\n\0')
    .slice(0, -1)
    .map((one) => one.split('\0').slice(0, -1));
}

test('every command of curl has the method, path, credentials and a valid body of its operation', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('uri-template', true);
  ajv.addSchema({ $id: 'description', components: description.components });
  const commands = described.map(({ operation }) => sourceOf(operation, 'shell') as string);
  const parsed = argumentsOf(commands);
  for (const [place, { method, path, operation }] of described.entries()) {
    const args = parsed[place] as string[];
    const valuesOf = (name: string) => args.filter((_one, at) => args[at - 1] === name);
    const url = new URL(args.find((one) => one.startsWith('http://platform.test')) as string);
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    assert.match(url.pathname, pattern, operation.operationId);
    const body = valuesOf('-d')[0];
    assert.equal(valuesOf('-X')[0] ?? (body === undefined ? 'GET' : 'POST'), method, operation.operationId);
    const headers = Object.keys((operation.security ?? description.security)[0] ?? {}).flatMap(
      (scheme) => CREDENTIALS[scheme] ?? [],
    );
    if (operation['x-idempotent']) headers.push('Idempotency-Key: a-new-id');
    if (operation.requestBody) headers.push('Content-Type: application/json');
    assert.deepEqual(valuesOf('-H'), headers, operation.operationId);
    assert.equal(body !== undefined, operation.requestBody !== undefined, operation.operationId);
    if (body === undefined) continue;
    const { $ref } = operation.requestBody?.content['application/json']?.schema ?? {};
    const isValid = ajv.validate({ $ref: `description${$ref}` }, JSON.parse(body));
    assert.ok(isValid, `${operation.operationId} ${body} ${ajv.errorsText()}`);
  }
});

test('texts for assistants have the call of the SDK', () => {
  const text = operationsAsMarkdown(descriptions().api);
  assert.match(
    text,
    /### transferKeys[^#]*await api\.wallet\.transfer\(\{\s+toUserId: '[0-9a-f]{24}',\s+amount: 25,\s+\}\)/,
  );
});

test('within a group, operations of members precede those of administrators', () => {
  const wallet = described.filter(({ operation }) => operation.tags[0] === 'Wallet');
  const isForMembers = wallet.map(({ operation }) => audienceOf(operation).includes('member'));
  assert.ok(isForMembers.includes(false));
  assert.equal(isForMembers.lastIndexOf(true) + 1, isForMembers.indexOf(false));
});
