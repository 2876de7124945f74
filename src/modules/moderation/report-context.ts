import type { Core } from '../../kernel/core.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { type Identity, type Member, memberOf, profileLookup } from '../identity/contract.ts';
import type { Place, Report, Reportable, Surrounding, Surroundings } from './contract.ts';
import { SHOWN_NEIGHBOURS } from './reports.model.ts';

interface ContextDeps extends Pick<Core, 'database' | 'audit'> {
  identity: Pick<Identity, 'profilesOf'>;
  reportableOf: (kind: string) => Reportable;
}

/** What stands around an item that was reported, with the people in it. */
interface ReportContext {
  place: (Omit<Place, 'authorId' | 'type'> & { type: string | null; author: Member }) | null;
  entries: (Surrounding & { user: Member })[];
  earlierTexts: Report['earlierTexts'];
}

const NOTHING: Surroundings = { place: null, entries: [] };

/**
 * Returns what stands around a reported item, and no more of it: a moderator reads so what members wrote to each other. If
 * only their office lets them, the audit log has it before they do, once an hour for each item.
 */
export const contextOfReport =
  ({ database, audit, identity, reportableOf }: ContextDeps) =>
  async (report: Report, moderator: UserCaller, facts: RequestFacts): Promise<ReportContext> => {
    const { id: reportId, kind, subjectId, containerId, authorId, earlierTexts } = report;
    const { around } = reportableOf(kind);
    const found =
      around && containerId !== null
        ? await around({ subjectId, containerId }, moderator, SHOWN_NEIGHBOURS)
        : NOTHING;
    const { place, entries, isClosed } = found;
    if (isClosed)
      await database.transaction((tx) =>
        audit.recordOnce(
          tx,
          {
            ...actorOf(moderator, facts),
            action: 'moderation.context-read',
            target: subjectId,
            details: { reportId, kind, authorId, containerId },
          },
          HOUR_MS,
        ),
      );
    const ids = [...entries.map(({ userId }) => userId), ...(place ? [place.authorId] : [])];
    const profileOf = await profileLookup(identity, ids);
    return {
      place: place && {
        kind: place.kind,
        id: place.id,
        name: place.name,
        text: place.text,
        type: place.type ?? null,
        author: memberOf(profileOf(place.authorId)),
      },
      entries: entries.map((one) => ({ ...one, user: memberOf(profileOf(one.userId)) })),
      earlierTexts,
    };
  };

export type ContextOfReport = ReturnType<typeof contextOfReport>;
