import { ffmpegTranscoder } from './ffmpeg.ts';
import type { Transcoder } from './port.ts';
import type { TranscoderSettings } from './settings.ts';

/** Minimum number of stretches; shorter videos are transcoded as a whole. */
const MIN_STRETCHES = 2;

/** Returns the video transcoder, ffmpeg, which may be missing on this machine. */
export const transcoder = (settings: TranscoderSettings): Transcoder =>
  ffmpegTranscoder({
    ffmpegPath: settings.ffmpegPath,
    workFolder: settings.workDir,
    threads: settings.threads,
    preset: settings.preset,
    niceness: settings.niceness,
    stretchSeconds: settings.stretchSeconds,
    stretchThresholdSeconds: MIN_STRETCHES * settings.stretchSeconds,
  });
