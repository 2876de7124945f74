import { failure } from '../../../kernel/failures.ts';
import { MAX_BIO_LENGTH } from '../../identity/contract.ts';

export const noProfileFields = failure(400, 'NO_PROFILE_FIELDS', 'No valid educator profile fields provided');
export const bioTooLong = failure(
  400,
  'BIO_TOO_LONG',
  `Educator bio must be ${MAX_BIO_LENGTH} characters or less`,
);
