/** Presets of x264, from the fastest to the one with the smallest files. */
export const PRESETS = ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'] as const;

/** Options of transcoding; the defaults suit teaching material: screens, slides, faces. */
export interface TranscodingOptions {
  ffmpegPath: string | undefined;
  workFolder: string | undefined;
  /** Threads of each encoder and decoder; 0 means one less than the number of cores. */
  threads: number;
  /** The encoder's trade-off between speed and file size. */
  preset: (typeof PRESETS)[number];
  /** Niceness of the processes; 19 is the lowest priority. */
  niceness: number;
  /** Longer videos are transcoded in stretches, which survive a crash of their worker. */
  stretchThresholdSeconds: number;
  stretchSeconds: number;
}

/** The only containers that are opened, regardless of what a file declares, and the only protocol. */
export const FORMAT_WHITELIST = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm';
export const PROTOCOL_WHITELIST = 'file';

export const SEGMENT_SECONDS = 6;
export const KEYFRAME_SECONDS = 2;
export const AUDIO_KBPS = 128;
export const QUALITY = 23;

export const MAX_SECONDS = 6 * 3600;
export const MAX_WIDTH = 4096;
export const MAX_HEIGHT = 2304;
export const MAX_PIXELS = MAX_WIDTH * MAX_HEIGHT;
export const MIN_SIDE = 16;
export const MAX_FRAME_RATE = 120;
export const MAX_OUTPUT_FRAME_RATE = 60;
export const MAX_STREAMS = 16;
export const VIDEO_CODECS = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'prores', 'mjpeg'];
export const AUDIO_CODECS = ['aac', 'mp3', 'opus', 'vorbis', 'flac', 'ac3'];

/** CPU time that ffprobe, or ffmpeg on a picture, may take. */
export const SHORT_RUN_CPU_SECONDS = 30;
/** How much longer a program may run by the clock: beside other work one of low priority may wait more than it runs. */
export const PATIENCE = 4;
export const SHORT_RUN_TIMEOUT_MS = PATIENCE * SHORT_RUN_CPU_SECONDS * 1_000;
export const STALL_TIMEOUT_MS = 120_000;
/** Maximum deviation of a rendition from the declared length of the source. */
export const LENGTH_TOLERANCE_SECONDS = 0.5;
