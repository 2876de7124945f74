import type { Seed } from '../seed.ts';

/** Gives the educator a profile, an announcement and a story, and followers who tip them. */
export const educatorSeed: Seed = {
  small: async ({ call, admin, educator, members }) => {
    const path = `/v1/educators/${educator.id}`;
    const what = 'an educator with an announcement and a story, followed and tipped by the others';
    const known = (await call('GET', `${path}/announcements`, undefined, educator.token)) as unknown[];
    if (known.length > 0) return { what, isNew: false };
    const profile = { educator_title: 'Head of Futures', specialty: 'Futures', skills: ['Risk'] };
    await call('PATCH', `${path}/profile`, profile, educator.token);
    await call('PUT', `/v1/admin/educators/${educator.id}`, { featured: true, isVerified: true }, admin);
    for (const { token } of members) await call('POST', `${path}/follow`, undefined, token);
    const announcement = { title: 'Gold this week', content: 'Three levels to watch.', tags: ['gold'] };
    await call('POST', `${path}/announcements`, announcement, educator.token);
    const story = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/desk.jpg' };
    await call('POST', `${path}/stories`, story, educator.token);
    for (const { token } of members) await call('POST', `${path}/tip`, { amount: 5 }, token);
    return { what, isNew: true };
  },
};
