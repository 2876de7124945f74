import { Type } from 'typebox';
import { failure, notFound } from '../../kernel/failures.ts';
import type { NewId } from '../../kernel/ids.ts';
import { member } from '../../kernel/operations/access.ts';
import { created, type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { DateTime, nullable, ObjectIdShape, oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import type { Clock } from '../../kernel/time.ts';
import type { DeviceStore } from './devices.store.ts';
import type { Pusher } from './pushing.ts';
import { TOPICS, type TopicRules } from './topics.ts';

const tag = 'Push and preferences';
const deviceNotFound = notFound('Device');
const noDevice = failure(404, 'NO_DEVICE', 'You have no device that a push could reach');
const pushUnavailable = failure(503, 'PUSH_UNAVAILABLE', 'Push service unavailable', {
  retryAfterSeconds: 30,
});

const Token = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: "The push service's name of the device",
  examples: ['fcm-token'],
});
const DeviceShape = Type.Object(
  {
    id: ObjectIdShape,
    token: Token,
    platform: oneOf(['ios', 'android', 'web']),
    name: nullable(Type.String({ examples: ['My phone'] })),
    createdAt: DateTime,
    lastSeenAt: DateTime,
  },
  { $id: 'Device' },
);
const TopicShape = oneOf(TOPICS, { examples: ['SESSIONS'] });
const TopicsInBody = Type.Object({
  topics: Type.Array(TopicShape, { minItems: 1, maxItems: TOPICS.length }),
});
const TopicsOut = ok(Type.Object({ topics: Type.Array(TopicShape) }), { message: 'Your topics' });

interface DeviceNeeds {
  devices: DeviceStore;
  topics: TopicRules;
  push: Pusher;
  clock: Clock;
  newId: NewId;
}

export const deviceOperations = ({ devices, topics, push, clock, newId }: DeviceNeeds): Operation[] => [
  operation({
    method: 'POST',
    path: '/push-notifications/register',
    id: 'registerDevice',
    tag,
    summary: 'Have pushes on this device',
    description: 'Doing it again renews it. A token belongs to whoever registered it last.',
    access: member,
    body: Type.Object({
      token: Token,
      platform: oneOf(['ios', 'android', 'web']),
      name: Type.Optional(Type.String({ maxLength: 100, examples: ['My phone'] })),
    }),
    success: created(DeviceShape, { message: 'Device registered' }),
    handle: ({ body: { token, platform, name = null }, caller }) =>
      devices.register(caller.userId, { id: newId(), token, platform, name }, new Date(clock.now())),
  }),
  operation({
    method: 'DELETE',
    path: '/push-notifications/unregister',
    id: 'unregisterDevice',
    tag,
    summary: 'Have no more pushes on this device',
    access: member,
    body: Type.Object({ token: Token }),
    success: ok(Type.Object({ token: Token }), { message: 'Device unregistered' }),
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
    query: Type.Object(pageQuery({ limit: 20 })),
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
    success: ok(Type.Object({ reached: Type.Integer({ description: 'Devices', examples: [1] }) }), {
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
