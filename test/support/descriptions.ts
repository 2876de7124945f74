import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/app/config.ts';
import { describePlatform } from '../../src/app/description.ts';
import { lazy } from '../../src/kernel/concurrency/lazy.ts';

/** A reference to another part of the description. */
export interface Reference {
  $ref?: string;
}

/** How notifications of a type use their metadata. */
interface NoticeUse {
  type: string;
  action: string;
  opens: string;
  path: string;
  ids: string[];
  optionalIds: string[];
}

/** The fields of a JSON Schema that tests read. */
export interface JsonSchema extends Reference {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** The actions to which notifications link. */
  'x-actions'?: NoticeUse[];
}

/** A parameter of an operation, in its path or its query. */
export interface Parameter extends Reference {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: JsonSchema;
}

export interface Response extends Reference {
  content: Record<string, { schema: JsonSchema }>;
}

/** An Operation Object of OpenAPI. */
export interface OperationObject {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, Response>;
  'x-audience'?: string[];
  'x-idempotent'?: boolean;
  'x-repeatable'?: boolean;
  'x-max-body-bytes'?: number;
  'x-pagination'?: { style: string; maxLimit: number; cursors?: string[]; cursorOf?: string[] };
}

/** The OpenAPI description. */
export interface ApiDescription {
  security: Record<string, string[]>[];
  'x-audience': string[];
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
  };
}

/** A message of the live channel, as AsyncAPI describes it. */
export interface MessageObject extends Reference {
  name: string;
  title: string;
  summary: string;
  payload: JsonSchema & { properties: Record<string, JsonSchema>; required: string[] };
  examples: { payload: object }[];
  'x-audience'?: string;
}

/** A command of the live channel, or a message that the server sends, as AsyncAPI describes it. */
export interface LiveOperationObject {
  action: 'send' | 'receive';
  channel: Reference;
  messages: Required<Reference>[];
  reply?: { messages: Required<Reference>[] };
  'x-limit'?: string;
  'x-error-codes': string[];
}

/** The AsyncAPI description. */
export interface LiveDescription {
  asyncapi: string;
  info: { title: string; version: string };
  servers: Record<string, { host: string; protocol: string }>;
  channels: {
    live: {
      address: string;
      servers: Required<Reference>[];
      messages: Record<string, Reference>;
      'x-close-codes': { code: number; reason: string; advice: string }[];
    };
  };
  operations: Record<string, LiveOperationObject>;
  components: { messages: Record<string, MessageObject>; schemas: Record<string, JsonSchema> };
}

interface Descriptions {
  api: ApiDescription;
  live: LiveDescription;
}

/**
 * The descriptions that the platform serves: OpenAPI as `api` and AsyncAPI as `live`. `npm test` builds them once for
 * all its processes.
 */
export const descriptions = lazy((): Descriptions => {
  const file = process.env.TEST_DESCRIPTIONS;
  return JSON.parse(file ? readFileSync(file, 'utf8') : JSON.stringify(describePlatform(readConfig({}))));
});

/** Returns the audience that an operation is meant for. */
export const audienceOf = (operation: OperationObject): string[] =>
  operation['x-audience'] ?? descriptions().api['x-audience'];

/** Resolves a reference in a description. */
export const placeIn = (description: object, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], description);
