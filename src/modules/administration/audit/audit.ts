import type { Core } from '../../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { OBJECT_ID } from '../../../kernel/ids.ts';
import type { CsvColumns } from '../../../kernel/operations/csv-lists.ts';
import {
  type AuditFilter,
  type AuditRecord,
  type Changes,
  changesOf,
} from '../../../kernel/records/audit.ts';
import { fullName } from '../../../kernel/text/full-name.ts';
import type { Identity } from '../../identity/contract.ts';

interface AuditDeps extends Pick<Core, 'audit'> {
  identity: Pick<Identity, 'contactsOf'>;
}

/** An audit entry with the names of users and the changes. */
type AuditView = AuditRecord & { actorName: string | null; changes: Changes };

export function auditRules({ audit, identity }: AuditDeps) {
  async function viewer(entries: AuditRecord[]): Promise<(entry: AuditRecord) => AuditView> {
    const unnamed = entries.flatMap(({ actor, target, targetName }) =>
      target === null || targetName !== null ? [actor] : [actor, target],
    );
    const ids = [...new Set(unnamed)].filter((id) => OBJECT_ID.test(id));
    const users = ids.length === 0 ? [] : await identity.contactsOf(ids);
    const names = new Map(users.map((user) => [user.userId, fullName(user)]));
    return (entry) => ({
      ...entry,
      actorName: names.get(entry.actor) ?? null,
      targetName: entry.targetName ?? names.get(entry.target ?? '') ?? null,
      changes: entry.changes ?? changesIn(entry.details),
    });
  }

  return {
    async pageOf(filter: AuditFilter, request: PageRequest): Promise<Page<AuditView>> {
      const page = await audit.pageOf(filter, request);
      return mapPage(page, await viewer(page.items));
    },
    async readAfter(filter: AuditFilter, after: AuditView | undefined, limit: number): Promise<AuditView[]> {
      const entries = await audit.readAfter(filter, after, limit);
      return entries.map(await viewer(entries));
    },
    actions: () => audit.actions(),
  };
}

export type AuditRules = ReturnType<typeof auditRules>;

/** Returns the changes in details that have the fields before and after. */
const changesIn = ({ before, after }: Record<string, unknown>): Changes =>
  isObject(before) && isObject(after) ? changesOf(before, after) : {};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const AUDIT_COLUMNS: CsvColumns<AuditView> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  actor: ({ actor }) => actor,
  actorEmail: ({ actorEmail }) => actorEmail,
  actorName: ({ actorName }) => actorName,
  action: ({ action }) => action,
  target: ({ target }) => target,
  targetName: ({ targetName }) => targetName,
  reason: ({ reason }) => reason,
  changes: ({ changes }) => JSON.stringify(changes),
  details: ({ details }) => JSON.stringify(details),
  requestId: ({ requestId }) => requestId,
};
