import { PROTOCOL_WHITELIST } from './limits.ts';
import { PICTURE_SIDES, type PictureSize } from './port.ts';

/** The demuxer of each type of picture. It is forced, so that a file cannot pass for another format. */
const FORMATS: Record<string, string> = {
  jpg: 'jpeg_pipe',
  png: 'png_pipe',
  webp: 'webp_pipe',
  gif: 'gif',
  avif: 'mov',
};
const MAX_PIXELS = 50_000_000;
const QUALITY = 80;

export const fileOfSize = (size: PictureSize): string => `${size}.webp`;
const sizes = Object.keys(PICTURE_SIDES) as PictureSize[];

/**
 * Returns ffmpeg's arguments for a picture in each size: rotated upright according to its metadata, and without
 * metadata; never enlarged; of an animation the first frame. Outputs are relative to the working folder.
 * @throws Error for an unknown type
 */
export function pictureArguments(source: string, extension: string): string[] {
  const format = FORMATS[extension];
  if (format === undefined) throw new Error(`${extension} is no type of picture`);
  const split = `[0:v:0]split=${sizes.length}${sizes.map((size) => `[${size}]`).join('')}`;
  const scale = (size: PictureSize): string => {
    const side = PICTURE_SIDES[size];
    const within = `w='min(${side},iw)':h='min(${side},ih)':force_original_aspect_ratio=decrease`;
    return `[${size}]scale=${within},setsar=1[made-${size}]`;
  };
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y', '-filter_complex_threads', '1', '-threads', '1'],
    ...[
      '-protocol_whitelist',
      PROTOCOL_WHITELIST,
      '-max_pixels',
      String(MAX_PIXELS),
      '-f',
      format,
      '-i',
      source,
    ],
    ...['-filter_complex', [split, ...sizes.map(scale)].join(';')],
    ...sizes.flatMap((size) => [
      ...['-map', `[made-${size}]`, '-frames:v', '1', '-map_metadata', '-1'],
      ...['-c:v', 'libwebp', '-quality', String(QUALITY), '-f', 'webp', fileOfSize(size)],
    ]),
  ];
}
