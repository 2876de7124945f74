import type { PushKeys } from '../../external/push/port.ts';
import { type FieldFault, failure, notFound, validationFailed } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { member } from '../../kernel/operations/access.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import type { Clock } from '../../kernel/time/time.ts';
import {
  DeviceShape,
  GetVapidKeyResult,
  ListDevicesQuery,
  RegisterDeviceBody,
  TestPushResult,
  topicShapes,
  UnregisterDeviceBody,
  UnregisterDeviceResult,
} from './devices.schemas.ts';
import type { DeviceRules } from './devices.ts';
import type { Pusher } from './pushing.ts';
import type { TopicRules } from './topics.ts';

const ONE_ADDRESS = [{ field: 'token', message: 'is required, or subscription, but not both' }];
const addressFaults = ({ token, subscription }: { token?: string; subscription?: object }): FieldFault[] =>
  (token === undefined) === (subscription === undefined) ? ONE_ADDRESS : [];

const tag = 'Push and preferences';
const deviceNotFound = notFound('Device');
const noDevice = failure(404, 'NO_DEVICE', 'You have no registered device');
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

/** Operations of devices, and of subscriptions to the listed topics. */
export function deviceOperations(deps: DeviceDeps, listed: string[]): Operation[] {
  const { devices, topics, push, browserPush, clock, newId } = deps;
  const { TopicsInBody, TopicsOut } = topicShapes(listed);
  const topicsOf = async (userId: ObjectId) => ({ topics: await topics.of(userId, listed) });
  return [
    operation({
      method: 'POST',
      path: '/push-notifications/register',
      id: 'registerDevice',
      tag,
      summary: 'Register a device for push notifications',
      description:
        'Phones are registered by `token`, browsers by `subscription`, whose endpoint becomes the token of the device. Register again after each sign-in to renew it. A token belongs to the session that registered it last, and receives no more pushes once that session has ended.',
      access: member,
      idempotent: 'by-nature',
      body: RegisterDeviceBody,
      success: created(DeviceShape, { message: 'Device registered' }),
      faults: ({ body }) => addressFaults(body),
      handle: ({ body: { token, subscription, platform, name = null, deviceId = null }, caller }) => {
        const address = subscription ? browserOf(browserPush, subscription, platform) : { token, keys: null };
        if (!address.token || (subscription && token !== undefined)) throw validationFailed(ONE_ADDRESS);
        const device = {
          id: newId(),
          token: address.token,
          keys: address.keys,
          platform,
          name,
          deviceId,
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
      summary: 'Retrieve the public key for browser push subscriptions',
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
      summary: 'Unregister a device from push notifications',
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
      summary: 'List your devices',
      access: member,
      query: ListDevicesQuery,
      success: pageOf(DeviceShape),
      handle: ({ query, caller }) => devices.pageOf(caller.userId, query),
    }),
    operation({
      method: 'GET',
      path: '/push-notifications/topics',
      id: 'listSubscribedTopics',
      tag,
      summary: 'List the topics that you are subscribed to',
      access: member,
      success: TopicsOut,
      handle: ({ caller }) => topicsOf(caller.userId),
    }),
    operation({
      method: 'POST',
      path: '/push-notifications/subscribe',
      id: 'subscribeToTopics',
      tag,
      summary: 'Subscribe to topics',
      access: member,
      isRepeatable: true,
      body: TopicsInBody,
      success: TopicsOut,
      handle: async ({ body, caller }) => {
        await topics.subscribe(caller.userId, body.topics);
        return topicsOf(caller.userId);
      },
    }),
    operation({
      method: 'POST',
      path: '/push-notifications/unsubscribe',
      id: 'unsubscribeFromTopics',
      tag,
      summary: 'Unsubscribe from topics',
      access: member,
      isRepeatable: true,
      body: TopicsInBody,
      success: TopicsOut,
      handle: async ({ body, caller }) => {
        await topics.unsubscribe(caller.userId, body.topics);
        return topicsOf(caller.userId);
      },
    }),
    operation({
      method: 'POST',
      path: '/push-notifications/test',
      id: 'testPush',
      tag,
      summary: 'Send a test push to your own devices',
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
}

function browserOf(
  { isEndpoint, areKeys }: BrowserPush,
  { endpoint, keys }: { endpoint: string; keys: PushKeys },
  platform: string,
) {
  const faults = [
    { field: 'platform', message: 'must be web if subscription is given', isSo: platform !== 'web' },
    {
      field: 'subscription.endpoint',
      message: 'does not belong to a known push service',
      isSo: !isEndpoint(endpoint),
    },
    { field: 'subscription.keys', message: 'are not valid subscription keys', isSo: !areKeys(keys) },
  ].filter(({ isSo }) => isSo);
  if (faults.length > 0) throw validationFailed(faults.map(({ field, message }) => ({ field, message })));
  return { token: endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
}
