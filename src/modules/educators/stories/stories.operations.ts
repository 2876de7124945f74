import { Type } from 'typebox';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { member } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { pathId } from '../../../kernel/operations/ids.ts';
import { momentPageOf } from '../../../kernel/operations/moments.ts';
import { created, type Operation, ok, operation, pageOf } from '../../../kernel/operations/operation.ts';
import { DeletedRecord } from '../../../kernel/operations/shapes.ts';
import { educator, notEducator } from '../../identity/contract.ts';
import { muted } from '../../moderation/contract.ts';
import { ANNOUNCED_PER_HOUR, announcedAnswer } from '../../notifications/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { storyNotFound, tooManyStories } from '../failures.ts';
import { educatorOnly } from '../profiles/access.ts';
import type { ProfileRules } from '../profiles/profiles.ts';
import {
  ListStoryViewersQuery,
  StoryGroup,
  StoryInBody,
  StoryShape,
  StoryViewer,
  ViewedOut,
} from './stories.schemas.ts';
import type { PublishedStory, StoryRules } from './stories.ts';
import { MAX_GROUPS, MAX_STORIES } from './stories.ts';

const tag = 'Stories';
const params = Type.Object({ educatorId: pathId('educator') });
const storyParams = Type.Object({ storyId: pathId('story') });
const failures = [educatorNotFound, notEducator];

interface StoryOperationDeps {
  stories: StoryRules;
  profiles: ProfileRules;
  storyHours: number;
}

const publishedStory = ({ story, isQuiet }: PublishedStory) =>
  announcedAnswer(story, 'Story created', !isQuiet);

export const storyOperations = ({ stories, profiles, storyHours }: StoryOperationDeps): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/educators/stories/feed',
    id: 'getStoryFeed',
    tag,
    summary: 'List stories of the educators you follow',
    description: `Stories are grouped by educator, up to ${MAX_GROUPS} educators. Educators with stories you have not viewed come first, then those with the newest story. Within a group the oldest story comes first.`,
    access: member,
    success: ok(Type.Array(StoryGroup)),
    handle: ({ caller }) => stories.feedOf(caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/:educatorId/stories',
    id: 'listStories',
    tag,
    summary: 'List the stories of an educator, oldest first',
    access: member,
    params,
    success: ok(Type.Array(StoryShape)),
    failures,
    load: ({ params }) => profiles.educatorOf(params.educatorId),
    handle: ({ loaded, caller }) => stories.ofEducator(loaded, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/:educatorId/stories',
    id: 'createStory',
    tag,
    summary: 'Publish a story',
    description: `The story expires after ${storyHours} hours; its file is then deleted if it was uploaded to the platform. Your subscribers are notified of up to ${ANNOUNCED_PER_HOUR.educator} stories an hour. You can have at most ${MAX_STORIES} active stories.`,
    access: educatorOnly,
    params,
    idempotent: true,
    body: StoryInBody,
    success: created(StoryShape, { message: 'Story created' }),
    failures: [...failures, insufficientPermissions, muted, tooManyStories],
    load: ({ params, caller }) => profiles.own(params.educatorId, caller),
    handle: async ({ loaded, body, caller, idempotency }) => {
      const answering = { idempotency, of: publishedStory };
      return publishedStory(await stories.publish(loaded, body, caller, answering));
    },
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/stories/:storyId',
    id: 'getStory',
    tag,
    summary: 'Retrieve a story',
    description: 'Does not mark it as viewed.',
    access: member,
    params: storyParams,
    success: ok(StoryShape),
    failures: [storyNotFound],
    handle: ({ params, caller }) => stories.findFor(params.storyId, caller),
  }),
  operation({
    method: 'POST',
    path: '/v1/educators/stories/:storyId/view',
    id: 'viewStory',
    tag,
    summary: 'Mark a story as viewed',
    description: 'Views are counted once for each member, and never for the educator.',
    access: member,
    params: storyParams,
    isRepeatable: true,
    success: ok(ViewedOut, { message: 'Story viewed' }),
    failures: [storyNotFound],
    load: ({ params }) => stories.find(params.storyId),
    handle: ({ loaded, caller }) => stories.view(loaded, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/educators/stories/:storyId/viewers',
    id: 'listStoryViewers',
    tag,
    summary: 'List the viewers of your story, latest view first',
    access: educatorOnly,
    params: storyParams,
    query: ListStoryViewersQuery,
    success: pageOf(StoryViewer),
    failures: [storyNotFound, insufficientPermissions],
    load: ({ params, caller }) => stories.own(params.storyId, caller),
    handle: ({ loaded, query }) => stories.viewersOf(loaded, momentPageOf(query)),
  }),
  operation({
    method: 'DELETE',
    path: '/v1/educators/stories/:storyId',
    id: 'deleteStory',
    tag,
    summary: 'Delete a story',
    description: 'Requires its educator or an administrator, who tells the educator the `reason`.',
    access: educator,
    isAlsoForStaff: true,
    params: storyParams,
    success: ok(DeletedRecord, { message: 'Story deleted' }),
    failures: [storyNotFound, insufficientPermissions],
    load: ({ params, caller }) => stories.managed(params.storyId, caller),
    handle: async ({ loaded, caller, facts }) => {
      await stories.delete(loaded, actorOf(caller, facts));
      return { id: loaded.id };
    },
  }),
];
