import {
  createAnnouncement,
  createAnnouncementComment,
  createLivestream,
  createProduct,
  createStory,
  enrollInCourse,
  followEducator,
  rateCourse,
  startLivestream,
  submitAccessRequest,
  tipEducator,
  transferKeys,
  updateLessonProgress,
  viewStory,
} from '../../../sdk/src/index.ts';
import { HOUR_MS } from '../../../src/kernel/time/time.ts';
import { newEmail } from '../client.ts';
import { newCourse, newEducator } from '../courses.ts';
import type { TestPlatform } from '../platform.ts';
import type { CursorLists, People } from './cursor-list.ts';

/** Lists of what educators publish and earn, and of what members buy. */
export async function listsOfTeaching(
  platform: TestPlatform,
  { ada, eve, rich, fan, ben, queue }: People,
): Promise<CursorLists> {
  const { admin } = platform;
  const { client } = ada;
  const announcement = (
    await client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Tonight', content: 'At eight' },
    })
  ).data;

  const story = (
    await eve.client.call(createStory, {
      params: { educatorId: eve.id },
      body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
    })
  ).data;
  const product = (await admin.call(createProduct, { body: { name: 'Desk', productType: 'misc' } })).data;
  const { course } = await newCourse(platform, { owner: ada });
  /** Has a new student rate the course. */
  async function rate(): Promise<unknown> {
    const student = await platform.newMember();
    const params = { courseId: course.id };
    await student.client.call(enrollInCourse, { params });
    return student.client.call(rateCourse, { params, body: { rating: 5 } });
  }
  /** Has Rich enrol in a new course. */
  async function enrol(): Promise<unknown> {
    const made = await newCourse(platform, { owner: ada });
    return rich.client.call(enrollInCourse, { params: { courseId: made.course.id } });
  }
  /** Has ben complete a new course. */
  async function complete(): Promise<unknown> {
    const made = await newCourse(platform, { owner: eve });
    await ben.client.call(enrollInCourse, { params: { courseId: made.course.id } });
    return ben.client.call(updateLessonProgress, {
      params: { lessonId: made.lessons[0].id },
      body: { positionSeconds: 9, completed: true },
    });
  }
  const tip = () => fan.client.call(tipEducator, { params: { educatorId: eve.id }, body: { amount: 1 } });
  /** Schedules a livestream and starts it. */
  async function goLive(): Promise<unknown> {
    const hour = (from: number) => new Date(platform.clock.now() + from * HOUR_MS).toISOString();
    const body = { title: 'Gold', scheduledStart: hour(0), scheduledEnd: hour(1) };
    const { id } = (await eve.client.call(createLivestream, { body })).data;
    return eve.client.call(startLivestream, { params: { livestreamId: id } });
  }

  await ben.client.call(followEducator, { params: { educatorId: ada.id } });
  const announce = () =>
    client.call(createAnnouncement, {
      params: { educatorId: ada.id },
      body: { title: 'Again', content: 'At nine' },
    });
  const [nextViewer, nextFollower] = [queue(), queue()];
  return {
    listCourses: {
      reader: ben.client,
      path: '/v1/courses?category=new',
      add: () => newCourse(platform, { owner: eve, course: { category: 'new' } }),
    },
    listEnrolledCourses: { reader: rich.client, path: '/v1/courses/enrolled', add: enrol },
    listOwnCertificates: { reader: ben.client, path: '/v1/certificates', add: complete },
    listCourseRatings: { reader: ben.client, path: `/v1/courses/${course.id}/ratings`, add: rate },
    listOwnAccessRequests: {
      reader: ben.client,
      path: '/v1/streams/marketplace/access-requests/mine',
      add: () =>
        ben.client.call(submitAccessRequest, {
          body: { productId: product.id, fullName: 'Ben K', email: newEmail() },
        }),
    },
    listTransactions: {
      reader: rich.client,
      path: '/v1/wallets/transactions',
      add: () => rich.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } }),
    },
    listAnnouncements: {
      reader: ben.client,
      path: `/v1/educators/${ada.id}/announcements`,
      add: announce,
    },
    listAnnouncementComments: {
      reader: ben.client,
      path: `/v1/educators/announcements/${announcement.id}/comments`,
      add: () =>
        client.call(createAnnouncementComment, {
          params: { announcementId: announcement.id },
          body: { content: 'Good' },
        }),
    },
    listSentTips: { reader: fan.client, path: '/v1/educators/tips/sent', add: () => tip() },
    listReceivedTips: { reader: eve.client, path: `/v1/educators/${eve.id}/tips`, add: () => tip() },
    listStoryViewers: {
      reader: eve.client,
      path: `/v1/educators/stories/${story.id}/viewers`,
      add: async () => (await nextViewer()).client.call(viewStory, { params: { storyId: story.id } }),
    },
    listEducatorFollowers: {
      reader: eve.client,
      path: `/v1/educators/${eve.id}/followers`,
      add: async () => (await nextFollower()).client.call(followEducator, { params: { educatorId: eve.id } }),
    },
    listFollowedEducators: {
      reader: fan.client,
      path: '/v1/educators/following',
      add: async () => {
        const { id: educatorId } = await newEducator(platform);
        await fan.client.call(followEducator, { params: { educatorId } });
      },
    },
    listLivestreams: { reader: ben.client, path: '/v1/livestreams', add: goLive },
    listLivestreamsOnAir: { reader: ben.client, path: '/v1/livestreams/public/live', add: goLive },
    getAnnouncementFeed: {
      reader: ben.client,
      path: '/v1/educators/announcements/feed',
      add: announce,
    },
  };
}
