import { batching } from '../../../kernel/concurrency/batching.ts';
import { lazy } from '../../../kernel/concurrency/lazy.ts';
import type { Core } from '../../../kernel/core.ts';
import type { PageRequest } from '../../../kernel/database/pagination.ts';
import { insufficientPermissions, serviceUnavailable } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { holds } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { answered, type RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import { HOUR_MS } from '../../../kernel/time/time.ts';
import { type Identity, type Member, namedMemberOf, withMembers } from '../../identity/contract.ts';
import type { Media } from '../../media/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { FanOut, Notifications } from '../../notifications/contract.ts';
import { storyPublished } from '../contract.ts';
import { type Educator, memberLookup, profileOf } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';
import { storyNotFound, tooManyStories } from '../failures.ts';
import type { Story, StoryOfViewer, Viewing } from './stories.model.ts';
import type { StoryDraft } from './stories.schemas.ts';
import type { StoryStore } from './stories.store.ts';
import { storyRemoval } from './story-removal.ts';

export const MAX_STORIES = 100;
export const MAX_GROUPS = 200;
interface StoryDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock' | 'newId'> {
  store: StoryStore;
  educators: EducatorStore;
  identity: Pick<Identity, 'profilesOf'>;
  media: Pick<Media, 'checkPublicUrls'>;
  moderation: Pick<Moderation, 'intervene' | 'closeReports' | 'maySpeak'>;
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  storyHours: number;
}

/** A story as a member sees it. */
export type StoryView = StoryOfViewer & { educator: Member };

/** A new story, and whether nobody is notified of it, since the educator has exceeded the hourly limit. */
export interface PublishedStory {
  story: StoryView;
  isQuiet: boolean;
}

/** Stories: pictures and short videos of educators that expire after a day. */
export function storyRules(deps: StoryDeps) {
  const { store, educators, identity, media, database, events, fanOut, clock, newId, storyHours } = deps;
  const { moderation } = deps;

  const removal = storyRemoval(deps);

  const viewTogether = batching<Viewing, number | undefined>(
    async (viewings) => {
      const unique = [...new Map(viewings.map((one) => [one.id + one.userId, one])).values()];
      const counts = await database.transaction((tx) => store.view(tx, unique, clock.date()));
      return viewings.map(({ id }) => counts.get(id));
    },
    { maxSize: 200, concurrency: 2, maxQueued: 5_000, onOverflow: serviceUnavailable },
  );

  /** Returns a story that has not expired, of an educator whom members may see. @throws storyNotFound */
  async function find(id: ObjectId): Promise<Story> {
    const story = await store.find(id, clock.date());
    if (!story) throw storyNotFound();
    return story;
  }

  return {
    ...removal,
    find,
    /** Returns a story as one of the list of its educator. @throws storyNotFound */
    async findFor(id: ObjectId, { userId }: UserCaller): Promise<StoryView> {
      const story = await store.findFor(userId, id, clock.date());
      if (!story) throw storyNotFound();
      return only(withEducators([story], await educators.findAll([story.educatorId])));
    },
    /** Returns the caller's own story. @throws storyNotFound, insufficientPermissions */
    async own(id: ObjectId, { userId }: UserCaller): Promise<Story> {
      const story = await find(id);
      if (story.educatorId !== userId) throw insufficientPermissions();
      return story;
    },

    /** Returns a story of the caller, or any for administrators. @throws storyNotFound, insufficientPermissions */
    async managed(id: ObjectId, caller: UserCaller): Promise<Story> {
      const story = await find(id);
      if (story.educatorId !== caller.userId && !holds(caller, 'admin')) throw insufficientPermissions();
      return story;
    },

    /** Returns the stories of an educator, oldest first; none if the educator is inactive. */
    async ofEducator(educator: Educator, { userId }: UserCaller): Promise<StoryView[]> {
      if (!educator.isActive) return [];
      return withEducators(await store.ofEducators(userId, [educator.id], clock.date()), [educator]);
    },

    /** Returns the stories of followed educators: those with unviewed stories first, then by the newest. */
    async feedOf({ userId }: UserCaller) {
      const at = clock.date();
      const groups = await store.groupsOf(userId, at, MAX_GROUPS);
      const ids = groups.map(({ educatorId }) => educatorId);
      const [stories, found] = await Promise.all([
        store.ofEducators(userId, ids, at),
        educators.findAll(ids),
      ]);
      const storiesOf = Map.groupBy(withEducators(stories, found), ({ educatorId }) => educatorId);
      const educatorOf = new Map(found.map((educator) => [educator.id, educator]));
      return groups.flatMap(({ educatorId, hasUnviewed }) => {
        const educator = educatorOf.get(educatorId);
        const its = storiesOf.get(educatorId);
        return educator && its ? [{ educator: personOf(educator), stories: its, hasUnviewed }] : [];
      });
    },

    /** @throws muted, tooManyStories */
    async publish(
      educator: Educator,
      draft: StoryDraft,
      caller: UserCaller,
      answering: RecordedAnswer<PublishedStory>,
    ): Promise<PublishedStory> {
      const { mediaUrl, thumbnailUrl } = draft;
      await media.checkPublicUrls({ mediaUrl, thumbnailUrl }, { ownerIds: [educator.id] });
      const at = clock.date();
      const story: Story = {
        thumbnailUrl: null,
        duration: 0,
        ...draft,
        id: newId(),
        educatorId: educator.id,
        viewCount: 0,
        createdAt: at,
        expiresAt: new Date(at.getTime() + storyHours * HOUR_MS),
      };
      const isAdmitted = lazy(() => fanOut.admits('stories', caller));
      return database.transaction(async (tx) => {
        await moderation.maySpeak(caller, tx);
        await tx.lock('educators.stories', educator.id);
        if ((await store.countOf(tx, educator.id, at)) >= MAX_STORIES) throw tooManyStories();
        const isQuiet = !(await isAdmitted());
        await store.insert(tx, story);
        await events.publish(tx, storyPublished, {
          educatorId: educator.id,
          isQuiet,
          storyId: story.id,
          mediaType: story.mediaType,
        });
        const view = only(withEducators([{ ...story, viewed: false }], [educator]));
        return answered(tx, answering, { story: view, isQuiet });
      });
    },
    /**
     * Counts a view, once for each member and never for the author.
     * @throws storyNotFound
     */
    async view(story: Story, { userId }: UserCaller) {
      const isAuthor = story.educatorId === userId;
      const viewCount = isAuthor ? story.viewCount : await viewTogether({ id: story.id, userId });
      if (viewCount === undefined) throw storyNotFound();
      return { storyId: story.id, viewed: !isAuthor, viewCount };
    },
    async viewersOf(story: Story, request: PageRequest) {
      const page = await store.viewersOf(story.id, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
  };
}

export type StoryRules = ReturnType<typeof storyRules>;

function withEducators(stories: StoryOfViewer[], educators: Educator[]): StoryView[] {
  const memberOf = memberLookup(educators);
  return stories.map((story) => ({ ...story, educator: memberOf(story.educatorId) }));
}

const personOf = (educator: Educator) => {
  const { avatar, ...person } = namedMemberOf(profileOf(educator));
  return { ...person, avatar, profileImage: avatar };
};
