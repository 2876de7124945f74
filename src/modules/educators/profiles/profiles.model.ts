import { failure } from '../../../kernel/failures.ts';

export const noProfileFields = failure(400, 'NO_PROFILE_FIELDS', 'No valid educator profile fields provided');
export const bioTooLong = failure(400, 'BIO_TOO_LONG', 'Educator bio must be 2000 characters or less');
