import { Failure, type FieldFault, failure, validationFailed } from '../../../kernel/failures.ts';
import { MAX_BIO_LENGTH } from '../../identity/contract.ts';

/** @param errors what is wrong with the fields, if there are any */
export const noProfileFields = (errors?: FieldFault[]): Failure =>
  new Failure(400, 'NO_PROFILE_FIELDS', 'No valid educator profile fields provided', { errors });

/** The failure of a body with these faults: 422 where one is in the social networks, else that of the specification. */
export const refusedProfile = (errors: FieldFault[]): Failure =>
  errors.some(({ field }) => field.split('.')[0] === 'socials')
    ? validationFailed(errors)
    : noProfileFields(errors);

export const bioTooLong = failure(
  400,
  'BIO_TOO_LONG',
  `Educator bio must be ${MAX_BIO_LENGTH} characters or less`,
);
