import type { ValidateFunction } from 'ajv/dist/2020.js';
import { readConfig } from '../../src/config.ts';
import { describePlatform } from '../../src/description.ts';
import { closed, newAjv } from '../../src/kernel/operations/validation.ts';
import type { Loose } from './client.ts';

/** The AsyncAPI description that clients read. */
export const liveDescription: Loose = JSON.parse(JSON.stringify(describePlatform(readConfig({})).live));

const ajv = newAjv({ removeAdditional: false, useDefaults: false });
// Here a field that the description does not name is a fault.
ajv.addSchema({ ...(closed(liveDescription) as object), $id: 'live' });

/** By the type of the messages that the server sends. */
const checks = new Map<string, ValidateFunction>();
for (const { action, messages } of Object.values(liveDescription.operations) as Loose[]) {
  const id = messages[0].$ref.split('/').at(-1);
  const { name } = liveDescription.components.messages[id];
  if (action === 'send')
    checks.set(name, ajv.getSchema(`live#/components/messages/${id}/payload`) as ValidateFunction);
}

/** Throws where a message of the server is none that the description knows, or does not fit it. */
export function checkLiveMessage(message: Loose): void {
  const check = checks.get(message.type);
  if (!check) throw new Error(`the description knows no live message ${message.type}`);
  if (!check(message))
    throw new Error(
      `${JSON.stringify(message)} does not fit its description: ${ajv.errorsText(check.errors)}`,
    );
}

/** Returns what of a payload does not fit the description of this message; undefined if all does. */
export function misfitOf(id: string, payload: unknown): string | undefined {
  const check = ajv.getSchema(`live#/components/messages/${id}/payload`) as ValidateFunction;
  return check(payload) ? undefined : ajv.errorsText(check.errors);
}
