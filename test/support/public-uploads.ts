import assert from 'node:assert/strict';
import { presignEducatorUpload, presignProductImage } from '../../sdk/src/index.ts';
import type { TypesOf } from '../../sdk/src/operation.ts';
import { SAMPLES } from './pictures.ts';
import type { Member, TestPlatform } from './platform.ts';
import { until } from './videos.ts';

const HOUR_MS = 3_600_000;

type UploadRequest = TypesOf<typeof presignEducatorUpload>['body'];
type UploadTicket = TypesOf<typeof presignEducatorUpload>['data'];

/** A picture as the request for an upload describes it. */
const PICTURE = {
  fileName: 'x.png',
  fileSize: SAMPLES.png.length,
  contentType: 'image/png',
} as const;

/** Uploads the picture to the URL of a ticket and returns the status. */
export async function put({ uploadUrl, instructions }: Omit<UploadTicket, 'fileType'>): Promise<number> {
  const { headers } = instructions;
  const body = new Uint8Array(SAMPLES.png);
  return (await fetch(uploadUrl, { method: 'PUT', headers, body })).status;
}

export const isServed = async (url: string): Promise<boolean> => (await fetch(url)).status === 200;

/** Helpers of the tests of public files. */
export function publicUploads({ admin, clock, platform }: TestPlatform) {
  const presign = async (by: Member, file: UploadRequest = PICTURE): Promise<UploadTicket> =>
    (await by.client.call(presignEducatorUpload, { params: { educatorId: by.id }, body: file })).data;

  async function sweepIn(hours: number): Promise<void> {
    clock.advance(hours * HOUR_MS);
    await platform.runJob('media.sweep');
    clock.advance(-hours * HOUR_MS);
  }

  return {
    presign,
    /** Requests an upload that may be refused. */
    tryToPresign: (by: Member, file: UploadRequest = PICTURE) =>
      by.client.attempt(presignEducatorUpload, { params: { educatorId: by.id }, body: file }),
    /** Uploads a picture and returns its public URL. */
    async upload(by: Member): Promise<string> {
      const ticket = await presign(by);
      assert.equal(await put(ticket), 200);
      return ticket.publicUrl;
    },
    async uploadAsAdmin(): Promise<string> {
      const { data } = await admin.call(presignProductImage, { body: PICTURE });
      assert.equal(await put(data), 200);
      return data.publicUrl;
    },
    /** Runs the removal of unused files as if it were this many hours later. */
    sweepIn,
    /** Waits until a file is removed, which happens in the background. */
    untilRemoved: (url: string): Promise<unknown> =>
      until(`the removal of ${url}`, async () => {
        await sweepIn(1);
        return !(await isServed(url));
      }),
  };
}
