import type { Access, Credential } from '../../kernel/operations/access.ts';
import type { Json } from './schemas.ts';

/** The credentials that operations require, as security schemes. */
export const SECURITY_SCHEMES: Record<Credential, Json> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of this environment' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` returned by a sign-in',
  },
  internalKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Internal-API-Key',
    description: 'The key that internal services authenticate with',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Stripe-Signature',
    description: 'The signature of the payment provider over the raw body',
  },
  signedLink: { type: 'apiKey', in: 'query', name: 'token', description: 'The token in a link sent by mail' },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Secret',
    description: 'The secret shared with the backoffice',
  },
};

/** Returns the sets of credentials of which one is needed, as security requirements. */
export const securityOf = ({ credentials }: Access): Json[] =>
  credentials.map((set) => Object.fromEntries(set.map((name) => [name, []])));
