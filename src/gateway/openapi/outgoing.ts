import { Type } from 'typebox';
import type { OutgoingMessage } from '../../kernel/operations/outgoing.ts';
import { type Json, pascalCase, type schemaComponents } from './schemas.ts';

const header = (name: string, description: string, example: string, required = true): Json => ({
  name,
  in: 'header',
  ...(required ? { required } : {}),
  description,
  schema: { type: 'string', examples: [example] },
});

/** The headers of Standard Webhooks and our own, as components. */
export const OUTGOING_PARAMETERS: Record<string, Json> = {
  WebhookId: header(
    'webhook-id',
    'The id of the event, the same in every attempt',
    'evt_6740f1c2a9b3e4d5f6a7b8c9',
  ),
  WebhookTimestamp: header('webhook-timestamp', 'When it was sent, in seconds', '1763717400'),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; several, separated by a space, while a secret is replaced',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
  WebhookReplay: header(
    'webhook-replay',
    '`true` if the event was sent before, and is sent again on request',
    'true',
    false,
  ),
};

const Numbered = Type.Object(
  {
    sequence: Type.Integer({
      description: 'The number of the event at this endpoint: 1, 2, 3, without gaps',
    }),
  },
  { $id: 'NumberedEvent' },
);

/** Describes what the platform sends, as the webhooks of OpenAPI. */
export function describeOutgoing(
  messages: OutgoingMessage[],
  schemas: ReturnType<typeof schemaComponents>,
): Json {
  const described = messages.map(({ type, summary, version, body }) => [
    type,
    {
      post: {
        operationId: `receive${pascalCase(type)}`,
        summary,
        description: `Version ${version} of the data. Answer with 2xx within 15 seconds.`,
        security: [],
        parameters: Object.keys(OUTGOING_PARAMETERS).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                allOf: [schemas.named(`${pascalCase(type)}Event`, body), schemas.schema(Numbered)],
              },
            },
          },
        },
        responses: { '2XX': { description: 'Received' } },
      },
    },
  ]);
  return Object.fromEntries(described);
}
