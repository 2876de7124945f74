import { exportDataOfUser, exportOwnData, getExportOfUser, getOwnExport } from '../../sdk/src/index.ts';
import { objectStorage } from '../../src/external/storage/index.ts';
import { sandboxStorage } from '../../src/sandbox/index.ts';
import { downloaded } from './archives.ts';
import { until } from './live.ts';
import type { Member, TestPlatform } from './platform.ts';

/** Begins an export of the member's own data, waits for its file, and returns its content. */
export async function exportOf({ client }: Pick<Member, 'client'>): Promise<Map<string, string>> {
  await client.call(exportOwnData);
  await until(async () => (await client.call(getOwnExport)).data.status === 'ready', 'the export');
  return downloaded((await client.call(getOwnExport)).data.url);
}

/** Exports a member's data as an administrator, and returns its content. */
export async function exportAsAdmin({ admin }: TestPlatform, userId: string): Promise<Map<string, string>> {
  const params = { userId };
  const { id } = (await admin.call(exportDataOfUser, { params, body: {} })).data;
  const newest = async () => (await admin.call(getExportOfUser, { params })).data;
  await until(async () => {
    const one = await newest();
    return one.id === id && one.status === 'ready';
  }, 'the export');
  return downloaded((await newest()).url);
}

/** Returns the keys of the files of a member's exports. */
export async function filesOf(
  { sandboxUrl, clock }: Pick<TestPlatform, 'sandboxUrl' | 'clock'>,
  userId: string,
): Promise<string[]> {
  const storage = objectStorage(sandboxStorage({ url: sandboxUrl }), { clock });
  const keys: string[] = [];
  for await (const page of storage?.list(`exports/${userId}/`) ?? [])
    keys.push(...page.map(({ key }) => key));
  storage?.close();
  return keys;
}
