type Ask = (method: string, path: string, body?: unknown, token?: string) => Promise<unknown>;

interface Seeded {
  id: string;
  token: string;
}

/** Gives an educator a profile, an announcement and a story, and followers who tip them. */
export async function seedEducator(
  ask: Ask,
  admin: string,
  educator: Seeded,
  followers: Seeded[],
): Promise<void> {
  const path = `/v1/educators/${educator.id}`;
  const profile = { educator_title: 'Head of Futures', specialty: 'Futures', skills: ['Risk'] };
  await ask('PATCH', `${path}/profile`, profile, educator.token);
  await ask('PUT', `/v1/admin/educators/${educator.id}`, { featured: true, isVerified: true }, admin);
  for (const { token } of followers) await ask('POST', `${path}/follow`, undefined, token);
  const announcement = { title: 'Gold this week', content: 'Three levels to watch.', tags: ['gold'] };
  await ask('POST', `${path}/announcements`, announcement, educator.token);
  const story = { mediaType: 'image', mediaUrl: 'https://cdn.example.com/desk.jpg' };
  await ask('POST', `${path}/stories`, story, educator.token);
  for (const { token } of followers) await ask('POST', `${path}/tip`, { amount: 5 }, token);
}
