// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, IdempotencyCode, TokenCode, WriteCode } from '../codes.ts';
import { pagesOf } from '../../pages.ts';
import type * as wire from '../wire.ts';

/** Retrieve your notification preferences. `GET /push-notifications/preferences` For member. */
export const getPreferences: Operation<{
  data: wire.NotificationPreferences;
  code: AnyCode | TokenCode;
}> = {
  id: 'getPreferences',
  method: 'GET',
  path: '/push-notifications/preferences',
};

/** Update your notification preferences. `PUT /push-notifications/preferences` For member. */
export const setPreferences: Operation<{
  body: wire.SetPreferencesBody;
  data: wire.NotificationPreferences;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'setPreferences',
  method: 'PUT',
  path: '/push-notifications/preferences',
};

/** Unsubscribe from e-mail notifications with one click (RFC 8058). `POST /v1/notifications/unsubscribe` For anybody. */
export const unsubscribeByMail: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  body: wire.UnsubscribeByMailBody;
  data: wire.UnsubscribeByMailResult;
  code: AnyCode | WriteCode | 'INVALID_LINK' | 'MALFORMED_FORM';
}> = {
  id: 'unsubscribeByMail',
  method: 'POST',
  path: '/v1/notifications/unsubscribe',
  isOpen: true,
};

/** Show the unsubscribe page. `GET /v1/notifications/unsubscribe` For anybody. */
export const unsubscribeByLink: Operation<{
  query: {
    /** The token of the link */
    token: string;
  };
  data: wire.UnsubscribeByLinkResult;
  code: AnyCode | 'INVALID_LINK';
}> = {
  id: 'unsubscribeByLink',
  method: 'GET',
  path: '/v1/notifications/unsubscribe',
  isOpen: true,
};

/** Register a device for push notifications. `POST /push-notifications/register` For member. */
export const registerDevice: Operation<{
  body: wire.RegisterDeviceBody;
  data: wire.Device;
  code: AnyCode | TokenCode | WriteCode | IdempotencyCode;
}> = {
  id: 'registerDevice',
  method: 'POST',
  path: '/push-notifications/register',
  isIdempotent: true,
};

/** Retrieve the public key for browser push subscriptions. `GET /push-notifications/vapid-key` For member. */
export const getVapidKey: Operation<{
  data: wire.GetVapidKeyResult;
  code: AnyCode | TokenCode;
}> = {
  id: 'getVapidKey',
  method: 'GET',
  path: '/push-notifications/vapid-key',
};

/** Unregister a device from push notifications. `DELETE /push-notifications/unregister` For member. */
export const unregisterDevice: Operation<{
  body: wire.UnregisterDeviceBody;
  data: wire.UnregisterDeviceResult;
  code: AnyCode | TokenCode | WriteCode | 'NOT_FOUND';
}> = {
  id: 'unregisterDevice',
  method: 'DELETE',
  path: '/push-notifications/unregister',
};

/** List your devices. `GET /push-notifications/devices` For member. */
export const listDevices: Operation<{
  query: {
    /** From 1 */
    page?: number;
    /** Items per page; values above 100 are lowered to 100 */
    limit?: number;
  };
  data: wire.Device[];
  paged: true;
  code: AnyCode | TokenCode;
}> = {
  id: 'listDevices',
  method: 'GET',
  path: '/push-notifications/devices',
  pages: pagesOf,
};

/** List the topics that you are subscribed to. `GET /push-notifications/topics` For member. */
export const listSubscribedTopics: Operation<{
  data: wire.SubscribedTopics;
  code: AnyCode | TokenCode;
}> = {
  id: 'listSubscribedTopics',
  method: 'GET',
  path: '/push-notifications/topics',
};

/** Subscribe to topics. `POST /push-notifications/subscribe` For member. */
export const subscribeToTopics: Operation<{
  body: wire.TopicsBody;
  data: wire.SubscribedTopics;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'subscribeToTopics',
  method: 'POST',
  path: '/push-notifications/subscribe',
  isRepeatable: true,
};

/** Unsubscribe from topics. `POST /push-notifications/unsubscribe` For member. */
export const unsubscribeFromTopics: Operation<{
  body: wire.TopicsBody;
  data: wire.SubscribedTopics;
  code: AnyCode | TokenCode | WriteCode;
}> = {
  id: 'unsubscribeFromTopics',
  method: 'POST',
  path: '/push-notifications/unsubscribe',
  isRepeatable: true,
};

/** Send a test push to your own devices. `POST /push-notifications/test` For member. */
export const testPush: Operation<{
  data: wire.TestPushResult;
  code: AnyCode | TokenCode | WriteCode | 'NO_DEVICE' | 'PUSH_UNAVAILABLE';
}> = {
  id: 'testPush',
  method: 'POST',
  path: '/push-notifications/test',
};
