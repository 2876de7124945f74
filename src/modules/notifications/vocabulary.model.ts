import {
  ALERT,
  ANNOUNCEMENT,
  COMMENT_REPLY,
  type Notice,
  type NoticeAction,
  type NotificationType,
  noticeAction,
  REMINDER,
} from './contract.ts';

const GENERAL_TYPES = [ALERT, ANNOUNCEMENT, COMMENT_REPLY, REMINDER];

/** The action of a push for an hourly digest. */
export const OPEN_NOTIFICATIONS = noticeAction('open-notifications', {
  opens: 'the list of notifications',
  path: '/v1/notifications',
});

/** The vocabulary of notifications: their types and actions. */
export interface Vocabulary {
  /** By name, in order of contribution. */
  types: Map<string, NotificationType>;
  actions: Map<string, NoticeAction>;
  /** The actions of each type's notifications, in order of contribution. */
  uses: { type: string; action: NoticeAction }[];
}

/**
 * Collects the vocabulary of all notices.
 * @throws when two modules declare different things under one name
 */
export function vocabularyOf(notices: Notice[]): Vocabulary {
  const types = byName([...GENERAL_TYPES, ...notices.map(({ type }) => type)]);
  const actions = byName([OPEN_NOTIFICATIONS, ...notices.flatMap(({ action }) => action ?? [])]);
  const uses = notices.flatMap(({ type, action }) => (action ? [{ type: type.name, action }] : []));
  const different = new Map(uses.map((use) => [`${use.type} ${use.action.name}`, use]));
  return { types, actions, uses: sorted(different) };
}

function byName<Word extends { name: string }>(words: Word[]): Map<string, Word> {
  const found = new Map<string, Word>();
  for (const word of words) {
    const other = found.get(word.name);
    if (other && other !== word)
      throw new Error(`two declarations for notifications are called ${word.name}`);
    found.set(word.name, word);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const sorted = <Value>(values: Map<string, Value>): Value[] =>
  [...values].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
