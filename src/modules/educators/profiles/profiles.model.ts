import { Failure, type FieldFault, failure } from '../../../kernel/failures.ts';
import { MAX_BIO_LENGTH } from '../../identity/contract.ts';

/** @param errors what is wrong with the fields, if there are any */
export const noProfileFields = (errors?: FieldFault[]): Failure =>
  new Failure(400, 'NO_PROFILE_FIELDS', 'No valid educator profile fields provided', { errors });
export const bioTooLong = failure(
  400,
  'BIO_TOO_LONG',
  `Educator bio must be ${MAX_BIO_LENGTH} characters or less`,
);
