import type { PushKeys } from '../../external/push/port.ts';
import { failure, notFound, validationFailed } from '../../kernel/failures.ts';
import type { NewId } from '../../kernel/ids.ts';
import { member } from '../../kernel/operations/access.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import type { Clock } from '../../kernel/time.ts';
import {
  DeviceShape,
  GetVapidKeyResult,
  ListDevicesQuery,
  RegisterDeviceBody,
  TestPushResult,
  TopicsInBody,
  TopicsOut,
  UnregisterDeviceBody,
  UnregisterDeviceResult,
} from './devices.schemas.ts';
import type { DeviceRules } from './devices.ts';
import type { Pusher } from './pushing.ts';
import type { TopicRules } from './topics.ts';

const tag = 'Push and preferences';
const deviceNotFound = notFound('Device');
const noDevice = failure(404, 'NO_DEVICE', 'You have no device that a push could reach');
const pushUnavailable = failure(503, 'PUSH_UNAVAILABLE', 'Push service unavailable', {
  retryAfterSeconds: 30,
});

/** Web push parameters and validation. */
export interface BrowserPush {
  /** Base64url; the key with which browsers subscribe. */
  publicKey: string;
  isEndpoint: (endpoint: string) => boolean;
  areKeys: (keys: PushKeys) => boolean;
}

interface DeviceDeps {
  browserPush: BrowserPush;
  devices: DeviceRules;
  topics: TopicRules;
  push: Pusher;
  clock: Clock;
  newId: NewId;
}

export const deviceOperations = ({
  devices,
  topics,
  push,
  browserPush,
  clock,
  newId,
}: DeviceDeps): Operation[] => [
  operation({
    method: 'POST',
    path: '/push-notifications/register',
    id: 'registerDevice',
    tag,
    summary: 'Have pushes on this device',
    description:
      'A phone by its `token`, a browser by its `subscription`, whose endpoint is its token from then on. Doing it again renews it: do so after each sign-in. A token belongs to the session that registered it last, and has no more pushes once that has ended.',
    access: member,
    body: RegisterDeviceBody,
    success: created(DeviceShape, { message: 'Device registered' }),
    handle: ({ body: { token, subscription, platform, name = null }, caller }) => {
      const address = subscription ? browserOf(browserPush, subscription, platform) : { token, keys: null };
      if (!address.token || (subscription && token !== undefined))
        throw validationFailed([{ field: 'token', message: 'or subscription is required, and not both' }]);
      const device = {
        id: newId(),
        token: address.token,
        keys: address.keys,
        platform,
        name,
        sessionId: caller.sessionId,
      };
      return devices.register(caller.userId, device, new Date(clock.now()));
    },
  }),
  operation({
    method: 'GET',
    path: '/push-notifications/vapid-key',
    id: 'getVapidKey',
    tag,
    summary: 'What browsers subscribe with',
    description: 'The `applicationServerKey` of `pushManager.subscribe` (RFC 8292).',
    access: member,
    success: ok(GetVapidKeyResult),
    handle: async () => ({ publicKey: browserPush.publicKey }),
  }),
  operation({
    method: 'DELETE',
    path: '/push-notifications/unregister',
    id: 'unregisterDevice',
    tag,
    summary: 'Have no more pushes on this device',
    access: member,
    body: UnregisterDeviceBody,
    success: ok(UnregisterDeviceResult, { message: 'Device unregistered' }),
    failures: [deviceNotFound],
    handle: async ({ body: { token }, caller }) => {
      if (!(await devices.unregister(caller.userId, token))) throw deviceNotFound();
      return { token };
    },
  }),
  operation({
    method: 'GET',
    path: '/push-notifications/devices',
    id: 'listDevices',
    tag,
    summary: 'Your devices',
    access: member,
    query: ListDevicesQuery,
    success: pageOf(DeviceShape),
    handle: ({ query, caller }) => devices.pageOf(caller.userId, query),
  }),
  operation({
    method: 'POST',
    path: '/push-notifications/subscribe',
    id: 'subscribeToTopics',
    tag,
    summary: 'Hear of these topics',
    access: member,
    body: TopicsInBody,
    success: TopicsOut,
    handle: async ({ body, caller }) => ({ topics: await topics.subscribe(caller.userId, body.topics) }),
  }),
  operation({
    method: 'POST',
    path: '/push-notifications/unsubscribe',
    id: 'unsubscribeFromTopics',
    tag,
    summary: 'Hear no more of these topics',
    access: member,
    body: TopicsInBody,
    success: TopicsOut,
    handle: async ({ body, caller }) => ({ topics: await topics.unsubscribe(caller.userId, body.topics) }),
  }),
  operation({
    method: 'POST',
    path: '/push-notifications/test',
    id: 'testPush',
    tag,
    summary: 'Send a push to your own devices, now',
    access: member,
    success: ok(TestPushResult, {
      message: 'Test notification sent',
    }),
    failures: [noDevice, pushUnavailable],
    handle: async ({ caller }) => {
      const { reached, fault } = await push(caller.userId, {
        title: 'It works',
        body: 'This device receives your notifications.',
        data: { action: 'test' },
      });
      if (reached === 0) throw fault ? Object.assign(pushUnavailable(), { cause: fault }) : noDevice();
      return { reached };
    },
  }),
];

function browserOf(
  { isEndpoint, areKeys }: BrowserPush,
  { endpoint, keys }: { endpoint: string; keys: PushKeys },
  platform: string,
) {
  const faults = [
    { field: 'platform', message: 'must be web with a subscription', isSo: platform !== 'web' },
    {
      field: 'subscription.endpoint',
      message: 'is not of a known push service',
      isSo: !isEndpoint(endpoint),
    },
    { field: 'subscription.keys', message: 'are not those of a subscription', isSo: !areKeys(keys) },
  ].filter(({ isSo }) => isSo);
  if (faults.length > 0) throw validationFailed(faults.map(({ field, message }) => ({ field, message })));
  return { token: endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
}
