// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode, WriteCode } from '../codes.ts';
import { forgettingTokens } from '../../account-ending.ts';
import { pagesOf } from '../../pages.ts';
import type * as wire from '../wire.ts';

/** Delete your account. `DELETE /v1/user` For member. */
export const deleteOwnAccount: Operation<{
  body: wire.DeleteOwnAccountBody;
  data: wire.DeleteOwnAccountResult;
  code: AnyCode | TokenCode | WriteCode | 'AMOUNT_TOO_LARGE' | 'AMOUNT_TOO_SMALL' | 'BALANCE_LIMIT_EXCEEDED' | 'EMAIL_NOT_VERIFIED' | 'LAST_ADMINISTRATOR' | 'STEP_UP_REQUIRED' | 'TOO_MANY_ATTEMPTS' | 'VOLUME_LIMIT_EXCEEDED' | 'WALLET_INACTIVE' | 'WALLET_LOCKED' | 'WALLET_NOT_EMPTY' | 'WITHDRAWAL_PENDING' | 'WRONG_PASSWORD';
}> = {
  id: 'deleteOwnAccount',
  method: 'DELETE',
  path: '/v1/user',
  around: forgettingTokens,
};

/** Search users by name, e-mail or id, and by permissions. `GET /v1/user` For administrator, service. */
export const listUsers: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
    /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
    before?: wire.ObjectId;
    /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters; or an id */
    search?: string;
    /** Separated by commas. Users with at least one of them match */
    permissions?: string;
  };
  data: wire.Profile[];
  paged: true;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'INVALID_ID';
}> = {
  id: 'listUsers',
  method: 'GET',
  path: '/v1/user',
  pages: pagesOf,
  cursor: ['before', 'id'],
};

/** See on which platforms you can sign in, by which purchase and until when. `GET /v1/user/access` For member. */
export const listOwnAccess: Operation<{
  data: wire.AccessVerdict[];
  code: AnyCode | TokenCode | 'NOT_FOUND';
}> = {
  id: 'listOwnAccess',
  method: 'GET',
  path: '/v1/user/access',
};

/** Redeem your one-time funding key. `POST /v1/user/validate-password` For member. */
export const validateFundingKey: Operation<{
  body: wire.ValidateFundingKeyBody;
  data: wire.ValidateFundingKeyResult;
  code: AnyCode | TokenCode | WriteCode | 'INVALID_FUNDING_KEY';
}> = {
  id: 'validateFundingKey',
  method: 'POST',
  path: '/v1/user/validate-password',
};

/** Retrieve your profile. `GET /v1/user/profile` For member. */
export const getProfile: Operation<{
  data: wire.OwnProfile;
  code: AnyCode | TokenCode | 'NOT_FOUND';
}> = {
  id: 'getProfile',
  method: 'GET',
  path: '/v1/user/profile',
};

/** Change your profile. `PATCH /v1/user/profile` For member. */
export const updateProfile: Operation<{
  body: wire.UpdateProfileBody;
  data: wire.OwnProfile;
  code: AnyCode | TokenCode | WriteCode | 'NOT_FOUND' | 'PROFILE_CHANGE_LIMIT_EXCEEDED' | 'TOO_MANY_USERNAME_CHANGES' | 'USERNAME_TAKEN';
}> = {
  id: 'updateProfile',
  method: 'PATCH',
  path: '/v1/user/profile',
};

/** Create an upload for your picture. `POST /v1/user/uploads/presign` For member. */
export const presignProfilePicture: Operation<{
  body: wire.PresignProfilePictureBody;
  data: wire.PublicUploadTicket;
  code: AnyCode | TokenCode | WriteCode | 'STORAGE_NOT_CONFIGURED' | 'UPLOAD_QUOTA_EXCEEDED';
}> = {
  id: 'presignProfilePicture',
  method: 'POST',
  path: '/v1/user/uploads/presign',
};
