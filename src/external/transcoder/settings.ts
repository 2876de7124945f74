import { choice, integer, onOff, optional, type Setting, type ValuesOf } from '../../kernel/settings.ts';
import { PRESETS } from './limits.ts';

/** Settings of the video transcoder (ffmpeg). */
export const transcoderSettings = {
  stretchSeconds: integer(
    'VIDEO_STRETCH_SECONDS',
    600,
    [6, 21_600],
    'Length of a stretch in seconds. Videos at least twice as long are transcoded in stretches, so that a killed worker loses at most one of them',
  ),
  workDir: optional(
    'VIDEO_WORK_DIR',
    'The directory for transcoding, on a disk with enough space; below /var/tmp by default',
    '/var/tmp/platform-api-media',
  ),
  threads: integer(
    'TRANSCODE_THREADS',
    0,
    [0, 256],
    'Threads of each encoder; 0 for one less than the number of cores',
  ),
  preset: choice(
    'TRANSCODE_PRESET',
    PRESETS,
    'veryfast',
    'The speed preset of the encoder; faster presets produce larger files of the same quality',
  ),
  niceness: integer(
    'TRANSCODE_NICENESS',
    19,
    [0, 19],
    'How much transcoding yields to other processes of the machine (nice value)',
  ),
  ffmpegPath: optional(
    'FFMPEG_PATH',
    'Path of ffmpeg, with ffprobe beside it; by default those on the PATH',
    '/usr/bin/ffmpeg',
  ),
  installsFfmpeg: onOff(
    'FFMPEG_INSTALL',
    'on',
    'Whether npm start and npm test install a missing ffmpeg, in development and as root on Debian',
  ),
} satisfies Record<string, Setting<unknown>>;

export type TranscoderSettings = ValuesOf<typeof transcoderSettings>;
