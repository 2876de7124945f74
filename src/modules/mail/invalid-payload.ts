import { failure } from '../../kernel/failures.ts';

export const invalidPayload = failure(
  400,
  'INVALID_PAYLOAD',
  'The body is none that a supported mail service sends',
);
