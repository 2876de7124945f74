import { Type } from 'typebox';
import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { type Operation, ok, operation, pageOf } from '../../kernel/operations/operation.ts';
import { EventNameDecision, EventNameShape, ListEventNamesQuery } from './dictionary.schemas.ts';
import { dictionaryIsFull, type EventNameDictionary, nameIsCommon, nameNotListed } from './dictionary.ts';
import { MEMBERS_OF_NAME, NAMES_ALONE } from './names.model.ts';

const tag = 'Analytics';

/** Operations for the names by which reports count events. */
export const dictionaryOperations = (dictionary: EventNameDictionary): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/analytics/events/names',
    id: 'listEventNames',
    tag,
    summary: 'List the names of events that are counted by themselves, newest first',
    description: `The first ${NAMES_ALONE} names of each member are listed at once, others once ${MEMBERS_OF_NAME} members use them. Until then they count as \`other\`.`,
    access: administrator,
    query: ListEventNamesQuery,
    success: pageOf(EventNameShape),
    handle: ({ query }) => dictionary.pageOf(query),
  }),
  operation({
    method: 'POST',
    path: '/v1/analytics/events/names',
    id: 'listEventName',
    tag,
    summary: 'Count the events of a name by themselves from now on',
    description: 'Also restores a name that was removed, with its past events.',
    access: administrator,
    body: EventNameDecision,
    success: ok(Type.Null(), { message: 'Event name listed' }),
    failures: [dictionaryIsFull],
    handle: async ({ body: { eventName, eventType, reason }, caller, facts }) => {
      await dictionary.list({ name: eventName, type: eventType }, { actor: actorOf(caller, facts), reason });
      return null;
    },
  }),
  operation({
    method: 'DELETE',
    path: '/v1/analytics/events/names',
    id: 'removeEventName',
    tag,
    summary: 'Count the events of a name under `other`',
    description:
      'Applies to past and future events; members still see the name in their own events. The name is not listed again unless an administrator does so.',
    access: administrator,
    body: EventNameDecision,
    success: ok(Type.Null(), { message: 'Event name removed' }),
    failures: [nameNotListed, nameIsCommon],
    handle: async ({ body: { eventName, eventType, reason }, caller, facts }) => {
      await dictionary.remove(
        { name: eventName, type: eventType },
        { actor: actorOf(caller, facts), reason },
      );
      return null;
    },
  }),
];
