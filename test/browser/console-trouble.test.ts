// The console in trouble: hostile texts, an unreachable or refusing platform, and a sign-in that ends elsewhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createCommunity,
  createIndicator,
  createPost,
  createUser,
  getWalletAsAdmin,
  joinCommunity,
  report,
} from '../../sdk/src/index.ts';
import { MINUTE_MS } from '../../src/kernel/time/time.ts';
import { PASSWORD } from '../support/client.ts';
import { ADMIN } from '../support/console.ts';
import {
  browserOfFile,
  enter,
  openConsole,
  PAGE_PATHS,
  settled,
  signedInPage,
} from '../support/console-pages.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform();
const { url } = platform;

/** Texts that would set `__xss` in a page that interprets them as markup, a script or a link. */
const PAYLOADS = [
  '<script>window.__xss=1</script>',
  '<img src=x onerror="window.__xss=1">',
  '<svg onload="window.__xss=1">',
  '"><img src=x onerror=window.__xss=1>',
  "'><img src=x onerror=window.__xss=1>",
  '</title><script>window.__xss=1</script>',
  '</textarea><script>window.__xss=1</script>',
  '<iframe srcdoc="<script>parent.__xss=1</script>">',
  '<a href="javascript:window.__xss=1">x</a>',
  'javascript:window.__xss=1',
  '<details open ontoggle=window.__xss=1>',
  '<input autofocus onfocus=window.__xss=1>',
  '<style>@import "https://example.org"</style>',
  '<math><mi xlink:href="javascript:window.__xss=1">x',
  '{{constructor.constructor("window.__xss=1")()}}',
  '$' + '{window.__xss=1}',
  '<base href="https://example.org/">',
  '<meta http-equiv="refresh" content="0;url=javascript:window.__xss=1">',
  '<object data="javascript:window.__xss=1">',
  '--><script>window.__xss=1</script>',
];

test('texts of members are never interpreted as markup', { skip }, async () => {
  const author = await platform.newMember();
  const { data: community } = await platform.admin.call(createCommunity, {
    body: { name: 'Traders', description: PAYLOADS[0] as string },
  });
  await author.client.call(joinCommunity, { params: { communityId: community.id } });
  const ids: string[] = [];
  for (const [place, text] of PAYLOADS.entries()) {
    const email = `payload${place}@example.com`;
    const { data: user } = await platform.admin.call(createUser, {
      body: { email, firstName: text.slice(0, 50), lastName: text.slice(0, 50) },
    });
    ids.push(user.id);
    await platform.admin.call(createIndicator, { body: { name: text, description: text } });
    const { data: post } = await author.client.call(createPost, {
      params: { communityId: community.id },
      body: { content: text },
    });
    await platform.admin.call(report, { body: { kind: 'post', subjectId: post.id, reason: text } });
  }
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const paths = [
    ...PAGE_PATHS,
    ...ids.slice(0, 3).map((id) => `/members/${id}`),
    `/members/${author.id}?tab=reports`,
  ];
  for (const path of paths) {
    await openConsole(page, url, path);
    assert.equal(await page.evaluate('window.__xss'), undefined, path);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('payload');
  await page.getByRole('option').nth(3).waitFor();
  assert.equal(await page.evaluate('window.__xss'), undefined);
  assert.deepEqual(complaints, []);
});

test('a name cannot reverse the direction of the text around it', { skip }, async () => {
  const { data: user } = await platform.admin.call(createUser, {
    body: { email: 'turned@example.com', firstName: 'A', lastName: 'B' },
  });
  // Such names are refused, but some may be older than that.
  await platform.database.execute('update identity.user set first_name = $2, last_name = $3 where id = $1', [
    user.id,
    'A\u202eB',
    'C\u2066D',
  ]);
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, `/members/${user.id}`);
  await page.getByRole('heading', { name: 'AB CD' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('dialog', { name: 'Deactivate AB CD' }).waitFor();
});

test('an unreachable platform is reported, old rows stay, and reading resumes by itself', {
  skip,
}, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, '/members');
  const rows = await page.getByRole('row').count();
  for (const [status, words] of [
    [0, 'The platform cannot be reached'],
    [503, 'Back soon'],
    [429, 'Try again in 1 second'],
  ] as const) {
    const path = /\/console\/api\/v1\/admin\/auth\/users\?/;
    await page.route(path, (route) =>
      status === 0
        ? route.abort()
        : route.fulfill({
            status,
            headers: { 'retry-after': '1', 'content-type': 'application/json' },
            body: JSON.stringify({
              success: false,
              status,
              error: status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'SERVICE_UNAVAILABLE',
              message: 'Back soon.',
              errorId: '41c7d0aa-0000-4000-8000-000000000000',
              meta: { timestamp: new Date().toISOString(), version: 'v1', retryAfter: 1 },
            }),
          }),
    );
    await page.getByLabel('State').selectOption(status === 503 ? 'true' : '');
    if (status === 0) await page.getByLabel('Can open').selectOption('web');
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    assert.equal(await page.getByRole('row').count(), rows);
    await page.unroute(path);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await settled(page);
  }
});

test('a failed write is reported with its error id, and the form keeps its content', {
  skip,
}, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const ada = await platform.newMemberWith(5);
  await openConsole(page, url, `/members/${ada.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Debit' }).click();
  const dialog = page.getByRole('dialog');
  const act = dialog.getByRole('button', { name: 'Take Keys' });
  assert.equal(await act.isDisabled(), true);
  await dialog.getByLabel('Keys').first().fill('5000');
  await dialog.getByLabel('Reason').fill('charge back of a card');
  await page.keyboard.press('Enter');
  assert.equal(await dialog.count(), 1);
  await act.click();
  const alert = dialog.getByRole('alert');
  await alert.getByText('Nothing was changed').waitFor();
  assert.match((await alert.getByRole('link').getAttribute('href')) ?? '', /\/console\/errors\/[\w-]{36}$/);
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'charge back of a card');
});

test('when the sign-in has ended elsewhere, a dialog over the page asks for it, and the form is sent afterwards', {
  skip,
}, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const ada = await platform.newMemberWith(0);
  await openConsole(page, url, `/members/${ada.id}`);
  await page.getByRole('button', { name: 'Fund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Fund/ });
  await dialog.getByLabel('Keys').fill('25');
  await dialog.getByLabel('Reason').fill('a goodwill of the house');
  const admin = await platform.signInAdmin();
  await admin.raw('POST', '/v1/auth/signout', {});
  await dialog.getByRole('button', { name: 'Fund' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await enter(page, ADMIN);
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Fund' }).click();
  await page.getByText('Funded 25 Keys.').waitFor();
  const { data } = await (await platform.signInAdmin()).call(getWalletAsAdmin, {
    params: { userId: ada.id },
  });
  assert.equal(data.balance, 25);
});

test('a tab follows sign-outs and sign-ins in another tab, and shows nothing of the previous operator', {
  skip,
}, async () => {
  const { id, email } = await platform.newMember();
  const admin = await platform.signInAdmin();
  await admin.call(assignPermissions, {
    params: { userId: id },
    body: { permissions: ['moderator'] },
  });
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, '/keys');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog', { name: /^Issue/ });
  await dialog.getByLabel('Name').first().fill('A key of the administrator');
  await dialog.getByLabel('Reason').fill('for the programs of the house');
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  await page.getByText('It is not shown again.').waitFor();
  const other = await page.context().newPage();
  await openConsole(other, url, '/');
  await other.getByRole('button', { name: 'Your account' }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await enter(other, { email, password: PASSWORD });
  await page.getByText('This page needs the permission admin').waitFor();
  assert.equal(await page.getByText('It is not shown again.').count(), 0);
});

test('moving money asks for the password again, and a double click moves it once', {
  skip,
}, async () => {
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const ada = await platform.newMemberWith(0);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(ada.email);
  await page.getByRole('row').filter({ hasText: ada.email }).getByRole('link').click();
  await page.getByRole('button', { name: 'Fund', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Keys').fill('25');
  await dialog.getByLabel('Reason').fill('a goodwill of the house');
  platform.clock.advance(6 * MINUTE_MS);
  await dialog.getByRole('button', { name: 'Fund' }).click();
  await dialog.getByLabel('Your password').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Fund' }).dblclick();
  await page.getByText('Funded 25 Keys.').waitFor();
  const { data } = await (await platform.signInAdmin()).call(getWalletAsAdmin, {
    params: { userId: ada.id },
  });
  assert.equal(data.balance, 25);
  assert.deepEqual(complaints, []);
});
