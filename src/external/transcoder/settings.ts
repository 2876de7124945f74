import { choice, integer, optional, type Setting, type ValuesOf } from '../../kernel/settings.ts';
import { PRESETS } from './limits.ts';

/** Settings of the video transcoder (ffmpeg). */
export const transcoderSettings = {
  videoStretchSeconds: integer(
    'VIDEO_STRETCH_SECONDS',
    600,
    [6, 21_600],
    'Videos that are twice as long and more are transcoded in stretches of this length, so that a killed worker loses one of them at most',
  ),
  videoWorkDir: optional(
    'VIDEO_WORK_DIR',
    'Where videos are transcoded, on a disk with room; /var/tmp unless said',
    '/var/tmp/platform-api-media',
  ),
  transcodeConcurrency: integer(
    'TRANSCODE_CONCURRENCY',
    1,
    [1, 64],
    'Videos that a process transcodes at once',
  ),
  transcodeThreads: integer(
    'TRANSCODE_THREADS',
    0,
    [0, 256],
    'Threads of each encoder; 0 is one less than there are cores',
  ),
  transcodePreset: choice(
    'TRANSCODE_PRESET',
    PRESETS,
    'veryfast',
    'How long the encoder takes; quicker ones make larger files of the same quality',
  ),
  transcodeNiceness: integer(
    'TRANSCODE_NICENESS',
    19,
    [0, 19],
    'How far transcoding gives way to everything else on the machine',
  ),
  ffmpegPath: optional(
    'FFMPEG_PATH',
    'The program ffmpeg, with ffprobe beside it; the ones on the PATH unless said',
    '/usr/bin/ffmpeg',
  ),
  ffmpegInstall: choice(
    'FFMPEG_INSTALL',
    ['on', 'off'],
    'on',
    'Whether, in development and as root on Debian, npm start installs ffmpeg where it is missing; npm test likewise',
  ),
} satisfies Record<string, Setting<unknown>>;

export type TranscoderSettings = ValuesOf<typeof transcoderSettings>;
