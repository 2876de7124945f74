import { ffmpegTranscoder } from './ffmpeg.ts';
import type { Transcoder } from './port.ts';
import type { TranscoderSettings } from './settings.ts';

/** Videos of at most this many stretches are transcoded as a whole. */
const MIN_STRETCHES = 2;

/** Returns the video transcoder, ffmpeg, which may be missing on this machine. */
export const transcoder = (settings: TranscoderSettings): Transcoder =>
  ffmpegTranscoder({
    ffmpegPath: settings.ffmpegPath,
    workFolder: settings.videoWorkDir,
    threads: settings.transcodeThreads,
    preset: settings.transcodePreset,
    niceness: settings.transcodeNiceness,
    stretchSeconds: settings.videoStretchSeconds,
    stretchThresholdSeconds: MIN_STRETCHES * settings.videoStretchSeconds,
  });
