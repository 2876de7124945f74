import type { TSchema } from 'typebox';

/**
 * Throws when a message, as JSON, does not match its shape; fields that the shape does not name are errors too. Tests
 * check every outgoing job, event and live message; production relies on the compiler.
 */
export type MessageCheck = (what: string, shape: TSchema, value: unknown) => void;

/** Accepts every message without a check. */
export const noMessageCheck: MessageCheck = () => undefined;
