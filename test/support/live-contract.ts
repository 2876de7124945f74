import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { lazy } from '../../src/kernel/concurrency/lazy.ts';
import { closed, newAjv } from '../../src/kernel/operations/validation.ts';
import { descriptions, type LiveDescription } from './descriptions.ts';

/** The AsyncAPI description that the platform serves. */
export const liveDescription = (): LiveDescription => descriptions().live;

const compiler = lazy((): Ajv2020 => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  // Closed, so that a field that is not described is a fault.
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

/** @throws Error if a message of the server is not described, or violates its description */
export function checkLiveMessage(message: { type: string; data?: unknown }): void {
  const id = sentMessages().get(message.type);
  if (!id) throw new Error(`the live message ${message.type} is not described`);
  const misfit = violationOf(id, message);
  if (misfit) throw new Error(`${JSON.stringify(message)} violates its description: ${misfit}`);
}

/** Returns how a payload violates the description of this message; undefined if it does not. */
export function violationOf(id: string, payload: unknown): string | undefined {
  // The compiler compiles a schema at its first use and caches it.
  const check = compiler().getSchema(`live#/components/messages/${id}/payload`) as ValidateFunction;
  return check(payload) ? undefined : compiler().errorsText(check.errors);
}
