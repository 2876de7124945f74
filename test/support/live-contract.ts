import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { lazy } from '../../src/kernel/concurrency/lazy.ts';
import { closed, newAjv } from '../../src/kernel/operations/validation.ts';
import { descriptions, type LiveDescription } from './descriptions.ts';

/** The AsyncAPI description that clients read. */
export const liveDescription = (): LiveDescription => descriptions().live;

const compiler = lazy((): Ajv2020 => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  // Here a field that the description does not name is a fault.
  return ajv.addSchema({ ...(closed(liveDescription()) as object), $id: 'live' });
});

/** The ids of the messages that the server sends, by their type. */
const sentMessages = lazy(() => {
  const ids = new Map<string, string>();
  for (const { action, messages } of Object.values(liveDescription().operations)) {
    const id = messages[0]?.$ref.split('/').at(-1) as string;
    const message = liveDescription().components.messages[id];
    if (action === 'send' && message) ids.set(message.name, id);
  }
  return ids;
});

/** Throws where a message of the server is none that the description knows, or does not fit it. */
export function checkLiveMessage(message: { type: string; data?: unknown }): void {
  const id = sentMessages().get(message.type);
  if (!id) throw new Error(`the description knows no live message ${message.type}`);
  const misfit = misfitOf(id, message);
  if (misfit) throw new Error(`${JSON.stringify(message)} does not fit its description: ${misfit}`);
}

/** Returns what of a payload does not fit the description of this message; undefined if all does. */
export function misfitOf(id: string, payload: unknown): string | undefined {
  // Compiled at its first use, and kept by the compiler.
  const check = compiler().getSchema(`live#/components/messages/${id}/payload`) as ValidateFunction;
  return check(payload) ? undefined : compiler().errorsText(check.errors);
}
