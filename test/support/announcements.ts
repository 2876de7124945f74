import { createAnnouncement, type wire } from '../../sdk/src/index.ts';
import type { Member } from './platform.ts';

/** Publishes an announcement of an educator. */
export async function announce(
  { client, id }: Pick<Member, 'client' | 'id'>,
  draft: Partial<wire.CreateAnnouncementBody> = {},
): Promise<wire.Announcement> {
  const body = { title: 'News', content: 'Today.', ...draft };
  return (await client.call(createAnnouncement, { params: { educatorId: id }, body })).data;
}
