import type { TObject } from 'typebox';
import type { OutgoingMessage } from '../../../kernel/operations/outgoing.ts';
import type { Module } from '../../module.ts';
import type { PublicEvent, PublicSource } from '../contract.ts';
import { TEST_TYPE } from './events.model.ts';
import { bodyShape, Nothing } from './events.schemas.ts';

/** The event that an administrator sends to test an endpoint. */
const TEST: PublicEvent = {
  type: TEST_TYPE,
  about: 'An administrator tests an endpoint. The event is sent to this endpoint only and is not in the feed',
  version: 1,
  data: Nothing,
  from: [],
};

interface Source {
  type: string;
  /** The published shape of its data. */
  shape: TObject;
  source: PublicSource;
}

/** The public types of event by name, and the mapping of module events to them. */
export interface Catalogue {
  types: PublicEvent[];
  /** Returns the public type of a module's event, and the function that derives its data. */
  sourceOf(eventName: string): Source | undefined;
}

/**
 * Collects the public types of all modules.
 * @throws if two modules contribute a type of the same name, or an event has two public types
 */
export function catalogueOf(modules: readonly Module[]): Catalogue {
  const types = [...modules.flatMap(({ publicEvents = [] }) => publicEvents), TEST].sort((a, b) =>
    a.type < b.type ? -1 : 1,
  );
  const names = new Set<string>();
  const sources = new Map<string, Source>();
  for (const { type, data, from } of types) {
    if (names.has(type)) throw new Error(`two public events are called ${type}`);
    names.add(type);
    for (const source of from) {
      const { name } = source.kind;
      // Both would have the same id.
      if (sources.has(name)) throw new Error(`${name} has two public types`);
      sources.set(name, { type, shape: data, source });
    }
  }
  return { types, sourceOf: (eventName) => sources.get(eventName) };
}

/** Describes the deliveries of all types. */
export const outgoingMessages = ({ types }: Catalogue): OutgoingMessage[] =>
  types.map((one) => ({ type: one.type, summary: one.about, version: one.version, body: bodyShape(one) }));
