import { failure, invalidId } from '../../../kernel/failures.ts';

export const invalidAction = failure(400, 'INVALID_ACTION', 'The action must be grant or revoke');
export const customerNotFound = failure(
  404,
  'CUSTOMER_NOT_FOUND',
  'No account is mapped to this customer_id',
);
export const invalidUserId = invalidId('user');
export const chartingUsernameRequired = failure(
  422,
  'CHARTING_USERNAME_REQUIRED',
  'No charting username is on record for this customer, and none was given',
);

export const eventIdReused = failure(
  409,
  'EVENT_ID_REUSED',
  'This eventId was used for another member or another action',
);
