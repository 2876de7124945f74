// What a dialog says about who reads the reason is what the platform does with it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { descriptions } from '../support/descriptions.ts';

/** What actions write with, where the descriptions of operations do not say that a member is told the reason. */
const READERS: Record<string, string> = {
  'moderation.muteUser': "'told'",
  'moderation.unmuteUser': "'told'",
  // Start, end and cancel of livestreams.
  'OPERATIONS[verb]': "'told'",
  'marketplace.decideAccessRequests': "status === 'pending' ? 'shown' : 'told'",
  // A withdrawal that failed: its returned Keys have the reason in their metadata.
  'wallet.settleWithdrawal': "'returned'",
  // The reason of a lock, which the wallet keeps.
  'wallet.change': "locked ? 'wallet' : 'audit'",
};

const AUDIT = "'audit'";

const isTold = new Set(
  Object.values(descriptions().api.paths)
    .flatMap((path) => Object.values(path))
    .filter(({ description = '' }) => /\btells? the \w+ the `reason`/.test(description))
    .map(({ operationId }) => operationId),
);

interface Asking {
  file: string;
  operation: string;
  reader: string;
}

/** The actions in a source that ask for a reason, by the first operation that they write with. */
const actionsIn = (file: string): Asking[] =>
  readFileSync(`console/src/${file}`, 'utf8')
    .split(/(?=\n\s*title(?:: |,\n))/)
    .slice(1)
    .flatMap((action) => {
      const [before = '', run] = action.split(/\brun: /);
      if (!run?.includes('reasonOf(form)')) return [];
      const [, named, called] = /\bapi\s*\.(?:call\(([\w[\]]+)|([\w.]+)\()/.exec(run) ?? [];
      const reader = /^\s*reason: (.+),$/m.exec(before)?.[1] ?? AUDIT;
      return [{ file, operation: named ?? called ?? '', reader }];
    });

const actions = readdirSync('console/src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap(actionsIn);

test('every dialog that asks for a reason says who reads it', () => {
  assert.ok(actions.length > 60, `${actions.length} actions are found`);
  assert.deepEqual(
    actions.map(({ file, operation, reader }) => [file, operation, reader]),
    actions.map(({ file, operation }) => [
      file,
      operation,
      READERS[operation] ?? (isTold.has(operation) ? "'told'" : AUDIT),
    ]),
  );
  const used = new Set(actions.map(({ operation }) => operation));
  assert.deepEqual(
    Object.keys(READERS).filter((operation) => !used.has(operation)),
    [],
    'no reader is listed for what no dialog does',
  );
});
