import type { Changes } from '../../kernel/records/audit.ts';
import type { Intervention } from '../moderation/contract.ts';
import type { Room } from './rooms.model.ts';

const TEXTS: ReadonlySet<string> = new Set(['name', 'description', 'rules']);

/**
 * Returns what the audit log keeps of a room that staff changes or deletes. Of one that is not public, or is not any more,
 * it has which texts were changed, and not what they said: these were not for everybody, and the log outlives the room.
 */
export function recordedOf(
  { type, name }: Pick<Room, 'type' | 'name'>,
  changes?: Changes,
): Pick<Intervention, 'name' | 'changes' | 'details'> {
  const isPublic = type === 'public' && changes?.type === undefined;
  if (!changes) return isPublic ? { name } : {};
  if (isPublic) return { name, changes };
  const changedTexts = Object.keys(changes).filter((field) => TEXTS.has(field));
  const others = Object.entries(changes).filter(([field]) => !TEXTS.has(field));
  return {
    ...((others.length > 0 || changedTexts.length === 0) && { changes: Object.fromEntries(others) }),
    ...(changedTexts.length > 0 && { details: { changedTexts } }),
  };
}
