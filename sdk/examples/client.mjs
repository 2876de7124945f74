// The steps of an app, from signing up to handling failures: `BASE_URL=... API_KEY=... node client.mjs`, with the
// values that `npm start` prints and Node 22 or later
import { createClient, playerOf } from '@platform-api/sdk';

const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
const api = createClient({ baseUrl, apiKey });
const who = { password: 'correct horse', platform: 'web', firstName: 'Ada', lastName: 'L' };
const { user } = await api.auth.signUp({ ...who, email: `ada.${Date.now()}@example.com` });
const { accessToken, refreshToken } = await api.session.read();
await Promise.all([api.session.renew(accessToken), api.session.renew(accessToken)]);
const isNew = (await api.session.read()).refreshToken !== refreshToken;
console.log('refreshed once:', isNew, (await api.profile.get()).firstName);
const key = { idempotencyKey: `purchase-${user.id}` };
const [buy, again] = [await api.wallet.buy({ amount: 50 }, key), await api.wallet.buy({ amount: 50 }, key)];
await fetch(buy.paymentLink, { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) });
console.log('bought once:', buy.paymentLink === again.paymentLink, (await api.wallet.getBalance()).balance);
for await (const { id, title, price, currency } of api.courses.list()) {
  if (currency !== 'Keys' || price > 20) continue;
  console.log('enrolled:', title, (await api.courses.enroll(id, { maxKeys: price })).paidKeys);
  const [lesson] = (await api.courses.getOutline(id)).modules.flatMap(({ lessons }) => lessons);
  const url = await playerOf(api, lesson.id).url();
  console.log('playing:', lesson.title, url && (await (await fetch(url)).text()).match(/RESOLUTION=\w+/)[0]);
  break;
}
const room = api.live().room((await api.chatrooms.create({ name: 'Gold', type: 'public' })).id);
room.on('message', ({ seq, message }) => console.log('heard:', seq, message));
await room.send('hello');
await api.chatrooms.sendMessage(room.id, { message: 'said meanwhile' }); // the test cuts the live channel here
await room.send('back again');
await api.push.registerDevice({ platform: 'ios', token: 'token-of-the-phone' });
console.log('pushed to:', (await api.push.testPush()).reached);
for await (const { title } of api.notifications.list()) console.log('notified:', title);
const failing = [api.courses.get('0'), api.wallet.buy({ amount: 51 }, key), api.profile.update({ bio: 1 })];
for (const { reason } of await Promise.allSettled(failing)) console.log('refused:', reason.code);
api.live().close();
